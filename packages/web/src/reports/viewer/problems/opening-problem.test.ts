import { ApiProblem, type ProblemCode, problems } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { EmbedRefusal } from './embed-problem.ts'
import { endsReport, openingProblem, renewalNotice } from './opening-problem.ts'
import { restartBackoff } from './viewer-problem.ts'

const problem = (codigo: ProblemCode, retryAfter?: number) => {
  const { status, detail } = problems[codigo]
  return new ApiProblem(status, { codigo, detail }, retryAfter)
}
const answered = (codigo: ProblemCode, retryAfter?: number) => openingProblem(problem(codigo, retryAfter))

test('openingProblem sends the user to their own reports when the report is not granted', () => {
  const { action, detail } = answered('relatorio_sem_permissao')
  expect(action).toBe('leave')
  expect(detail).toMatch(/^Este relatório não está liberado para você\./)
})

test.each(['bi_credencial_recusada', 'bi_indisponivel', 'bi_sem_resposta', 'erro_interno'] as const)(
  "openingProblem shows the API's sentence and offers a retry for %s",
  (codigo) => {
    expect(answered(codigo)).toMatchObject({ action: 'retry', detail: problems[codigo].detail })
  },
)

test.each(['paginado_com_filtro', 'bi_relatorio_inexistente'] as const)(
  'the problem names %s, which a retry does not solve',
  (codigo) => {
    const { title, detail } = problems[codigo]
    expect(answered(codigo)).toEqual({ title, detail, action: 'leave' })
  },
)

test('openingProblem leads from a person that cannot be seen as to their form', () => {
  const { title, detail } = problems.ver_como_indisponivel
  expect(answered('ver_como_indisponivel')).toEqual({ title, detail, action: 'leave', form: 'person' })
})

test('openingProblem offers no retry for malformed ids', () => {
  expect(answered('campos_invalidos').action).toBe('leave')
})

test('openingProblem reports a network problem when the call got no response', () => {
  expect(openingProblem(new TypeError('Failed to fetch'))).toMatchObject({
    action: 'retry',
    title: 'Sem conexão com o portal',
  })
})

test('openingProblem reports an unexpected error, without a reopening, when our code failed', () => {
  const { title, reopens } = openingProblem(new TypeError('undefined is not an object'))
  expect([title, reopens]).toEqual(['O relatório não abriu', undefined])
})

test('no network problem is reported when the portal refuses the embed URL', () => {
  expect(openingProblem(new EmbedRefusal(new Error('Invalid embed URL'))).detail).toMatch(
    /^O portal não aceitou/,
  )
})

test('openingProblem names the problem of the provider and reopens automatically when it is transient', () => {
  const problemOf = (codigo: ProblemCode) => {
    const { title, reopens } = answered(codigo)
    return [title, reopens]
  }
  expect(problemOf('bi_indisponivel')).toEqual(['Serviço de BI indisponível', restartBackoff])
  expect(problemOf('servico_indisponivel')).toEqual(['Serviço indisponível', restartBackoff])
  expect(problemOf('bi_pausado')).toEqual(['Serviço de BI pausado', { seconds: 60, isNamed: false }])
  expect(problemOf('bi_sem_resposta')).toEqual([
    'Serviço de BI sem resposta',
    { seconds: 15, isNamed: false },
  ])
  expect(problemOf('bi_credencial_recusada')).toEqual(['Credencial recusada', undefined])
  expect(problemOf('bi_relatorio_inexistente')).toEqual(['Relatório inexistente no serviço de BI', undefined])
})

test.each(['muitas_tentativas', 'bi_sobrecarregado'] as const)(
  'openingProblem waits as long as Retry-After says on %s',
  (codigo) => {
    expect(answered(codigo, 17).reopens).toEqual({ seconds: 17, isNamed: true })
  },
)

test('openingProblem shows the start of a capacity as progress, and asks again when the portal says', () => {
  expect(answered('capacidade_iniciando', 10)).toMatchObject({
    title: 'A capacidade está sendo iniciada',
    isStarting: true,
    reopens: { seconds: 10, isNamed: true },
  })
  expect(answered('bi_pausado').isStarting).toBeUndefined()
})

test('openingProblem reopens on a change of access when the report is not granted, but not when it is deleted', () => {
  expect(answered('relatorio_sem_permissao').reopens).toBe('access')
  expect(answered('nao_encontrado')).toMatchObject({
    title: 'Relatório não encontrado',
    action: 'leave',
    detail: expect.stringMatching(/foi excluído do portal/),
  })
  expect(answered('nao_encontrado').reopens).toBeUndefined()
})

test('openingProblem distinguishes a portal that times out from one that is down behind its gateway', () => {
  expect(openingProblem(new DOMException('', 'TimeoutError')).title).toBe('O portal não respondeu a tempo')
  const gateway = new ApiProblem(502, { codigo: 'resposta_invalida', detail: 'x' })
  expect(openingProblem(gateway)).toMatchObject({ title: 'Sem conexão com o portal', reopens: 'connection' })
})

test('openingProblem says why a token renewal failed and when it is retried', () => {
  expect(renewalNotice(problem('bi_sobrecarregado', 17))).toBe(
    'Serviço de BI sobrecarregado. O relatório continua na tela; tentaremos de novo em 17 segundos.',
  )
  expect(renewalNotice(problem('reautenticacao_necessaria'))).toBe(
    'Confirme que é você para continuar vendo este relatório.',
  )
  expect(renewalNotice(new TypeError('offline'))).toBe(
    'O acesso a este relatório não pôde ser renovado agora. O relatório continua na tela; tentaremos de novo em instantes.',
  )
})

test.each([
  ['relatorio_sem_permissao', true],
  ['bi_relatorio_inexistente', true],
  ['reautenticacao_necessaria', false],
  ['ver_como_indisponivel', true],
  ['muitas_tentativas', false],
  ['bi_pausado', false],
] as const)('openingProblem decides for %s whether a failed renewal ends the report: %s', (codigo, ends) => {
  expect(endsReport(problem(codigo))).toBe(ends)
})
