// @vitest-environment happy-dom
import { ApiProblem, type ConnectionTest, TestStep } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ConnectionTestPanel } from './connection-test-panel.tsx'

const untried = 'Não testado: depende da etapa anterior.'
const resultOf = (oks: (boolean | null)[], sentence: string): ConnectionTest => {
  const ending = oks.findIndex((ok) => ok !== true)
  return {
    etapas: TestStep.options.map((nome, index) => ({
      nome,
      ok: oks[index] ?? null,
      detalhe: index === ending ? sentence : oks[index] ? `${nome} passou.` : untried,
    })),
  }
}

const show = (result?: ConnectionTest, error: unknown = null) =>
  render(
    <MantineProvider env="test">
      <ConnectionTestPanel result={result} error={error} />
    </MantineProvider>,
  )
const steps = () =>
  within(screen.getByRole('list', { name: 'Etapas do teste' }))
    .getAllByRole('listitem')
    .map((item) => [...item.querySelectorAll('span')].map((span) => span.textContent).filter(Boolean))

test('while it runs, all four steps are named and none has a result', () => {
  show()
  expect(screen.getByRole('status').textContent).toContain('Testando a conexão…')
  expect(steps()).toEqual([
    ['Credencial', 'Testando…'],
    ['Grupos', 'Testando…'],
    ['Relatório', 'Testando…'],
    ['Token de incorporação', 'Testando…'],
  ])
})

test('all good', () => {
  show(resultOf([true, true, true, true], ''))
  expect(screen.getByRole('status').textContent).toContain('A conexão funciona')
  expect(steps()[3]).toEqual(['Token de incorporação', 'token passou.', 'Funcionou'])
})

test('a failed step is named above with its sentence, once; what follows was not tried', () => {
  const sentence = 'O segredo do aplicativo expirou.'
  show(resultOf([true, false, null, null], sentence))
  const told = screen.getByRole('status').textContent
  expect(told).toContain('Falhou: Grupos')
  expect(told).toContain(sentence)
  expect(screen.getAllByText(sentence)).toHaveLength(1)
  expect(steps()).toEqual([
    ['Credencial', 'credencial passou.', 'Funcionou'],
    ['Grupos', 'Falhou'],
    ['Relatório', 'Não testado'],
    ['Token de incorporação', 'Não testado'],
  ])
})

test('a step with nothing to be tried on is no failure', () => {
  show(resultOf([true, true, null, null], 'Nenhum relatório para testar.'))
  const told = screen.getByRole('status').textContent
  expect(told).toContain('O que foi testado funciona')
  expect(told).toContain('Nenhum relatório para testar.')
  expect(screen.queryByText('Falhou')).toBeNull()
})

test('a test that could not be made says why, and claims nothing about the steps', () => {
  show(undefined, new ApiProblem(404, { codigo: 'nao_encontrado', detail: 'Não existe mais.' }))
  expect(screen.getByRole('alert').textContent).toContain('Não existe mais.')
  expect(screen.queryByRole('list')).toBeNull()
})
