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

test('names all four steps without results while the test runs', () => {
  show()
  expect(screen.getByRole('status').textContent).toContain('Testando a conexão…')
  expect(steps()).toEqual([
    ['Credencial', 'Testando…'],
    ['Grupos', 'Testando…'],
    ['Relatório', 'Testando…'],
    ['Token de incorporação', 'Testando…'],
  ])
})

test('reports success when all four steps pass', () => {
  show(resultOf([true, true, true, true], ''))
  expect(screen.getByRole('status').textContent).toContain('A conexão funciona')
  expect(steps()[3]).toEqual(['Token de incorporação', 'token passou.', 'Funcionou'])
})

test('shows the failed step with its sentence once, and later steps as not tested', () => {
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

test('does not report a failure when a step has nothing to test', () => {
  show(resultOf([true, true, null, null], 'Nenhum relatório para testar.'))
  const told = screen.getByRole('status').textContent
  expect(told).toContain('O que foi testado funciona')
  expect(told).toContain('Nenhum relatório para testar.')
  expect(screen.queryByText('Falhou')).toBeNull()
})

test('shows the error without steps when the test could not run', () => {
  show(undefined, new ApiProblem(404, { codigo: 'nao_encontrado', detail: 'Não existe mais.' }))
  expect(screen.getByRole('alert').textContent).toContain('Não existe mais.')
  expect(screen.queryByRole('list')).toBeNull()
})
