import { ApiProblem, type ProblemCode, problems } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import {
  asEmbedError,
  callFailureSentence,
  EmbedRefusal,
  embedProblem,
  openingProblem,
} from './embed-problem.ts'
import { TimeLimitError } from './time-limit.ts'

const answered = (codigo: ProblemCode) => {
  const { status, detail } = problems[codigo]
  return openingProblem(new ApiProblem(status, { codigo, detail }))
}

test('a report that is not granted leads to the own reports, with no second try', () => {
  const { action, detail } = answered('relatorio_sem_permissao')
  expect(action).toBe('leave')
  expect(detail).toMatch(/^Este relatório não está liberado para você\./)
})

test.each(['bi_credencial_recusada', 'bi_indisponivel', 'bi_sem_resposta', 'erro_interno'] as const)(
  "%s shows the API's sentence and offers another try",
  (codigo) => {
    expect(answered(codigo)).toMatchObject({ action: 'retry', detail: problems[codigo].detail })
  },
)

test('ids that are no ids are not tried again', () => {
  expect(answered('campos_invalidos').action).toBe('leave')
})

test('no answer at all is a matter of the network', () => {
  expect(openingProblem(new TypeError('Failed to fetch'))).toMatchObject({
    action: 'retry',
    title: 'Sem conexão com o portal',
  })
})

test('an address that the portal refuses is no matter of the network', () => {
  expect(openingProblem(new EmbedRefusal(new Error('Invalid embed URL'))).detail).toMatch(
    /^O portal não aceitou/,
  )
})

test('error events speak Portuguese and keep their code for support', () => {
  expect(embedProblem(asEmbedError({ message: 'PowerBIEntityNotFound', level: 6 }))).toEqual({
    title: 'O relatório não abriu',
    detail: 'O serviço de BI não encontrou este relatório. Avise um administrador.',
    action: 'retry',
    code: 'PowerBIEntityNotFound',
  })
  expect(embedProblem(asEmbedError([{ message: 'NeverHeardOf' }])).detail).toMatch(/informou um erro/)
  expect(asEmbedError(undefined).message).toBe('Unknown')
})

test('a call without an answer says so', () => {
  expect(callFailureSentence(new TimeLimitError())).toMatch(/não respondeu a tempo/)
  expect(callFailureSentence({ message: 'InvalidRequest' })).toMatch(/não aceitou/)
})
