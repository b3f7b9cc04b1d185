import { ApiProblem, type ConnectionTest, TestStep } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ConnectionTestPanel } from './connection-test-panel.tsx'

const untried = 'Não testado: depende da etapa anterior.'
const resultOf = (oks: (boolean | null)[], sentence: string): ConnectionTest => {
  const ending = oks.findIndex((ok) => ok !== true)
  return {
    avisos: [],
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

test('the panel names all four steps without results while the test runs', () => {
  show()
  expect(screen.getByRole('status').textContent).toContain('Testando a conexão…')
  expect(steps()).toEqual([
    ['Credencial', 'Testando…'],
    ['Grupos', 'Testando…'],
    ['Relatório', 'Testando…'],
    ['Token de incorporação', 'Testando…'],
  ])
})

test('the panel reports success when all four steps pass', () => {
  show(resultOf([true, true, true, true], ''))
  expect(screen.getByRole('status').textContent).toContain('A conexão funciona')
  expect(steps()[3]).toEqual(['Token de incorporação', 'token passou.', 'Funcionou'])
})

test('the connection test panel shows the failed step with its sentence once, and later steps as not tested', () => {
  const sentence = 'O segredo do aplicativo expirou.'
  show(resultOf([true, false, null, null], sentence))
  const status = screen.getByRole('status').textContent
  expect(status).toContain('Falhou: Grupos')
  expect(status).toContain(sentence)
  expect(screen.getAllByText(sentence)).toHaveLength(1)
  expect(steps()).toEqual([
    ['Credencial', 'credencial passou.', 'Funcionou'],
    ['Grupos', 'Falhou'],
    ['Relatório', 'Não testado'],
    ['Token de incorporação', 'Não testado'],
  ])
})

test('the panel does not report a failure when a step has nothing to test', () => {
  show(resultOf([true, true, null, null], 'Nenhum relatório para testar.'))
  const status = screen.getByRole('status').textContent
  expect(status).toContain('O que foi testado funciona')
  expect(status).toContain('Nenhum relatório para testar.')
  expect(screen.queryByText('Falhou')).toBeNull()
})

test('the connection test panel lists below the steps what was passed over, with the reasons', () => {
  const avisos = [
    { grupo: 'Financeiro', relatorio: null, motivo: 'A capacidade está pausada.' },
    { grupo: 'Saúde', relatorio: 'Notas', motivo: 'É um relatório paginado.' },
  ]
  show({ ...resultOf([true, true, true, true], ''), avisos })
  const list = screen.getByRole('list', { name: 'O que não pôde ser lido ou incorporado' })
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['FinanceiroA capacidade está pausada.', 'Notas em SaúdeÉ um relatório paginado.'])
  expect(screen.getByRole('status').textContent).toContain('A conexão funciona')
  expect(screen.getByRole('status').textContent).toContain('Veja abaixo')
})

test('the connection test panel says how many warnings are left out', () => {
  const avisos = [{ grupo: 'Financeiro', relatorio: null, motivo: 'A capacidade está pausada.' }]
  show({ ...resultOf([true, true, true, true], ''), avisos, avisosOmitidos: 1_234 })
  expect(screen.getByText('E mais 1.234 avisos.')).toBeDefined()
})

test('the panel has no such list without warnings', () => {
  show(resultOf([true, true, true, true], ''))
  expect(screen.getAllByRole('list')).toHaveLength(1)
})

test('the connection test panel says when the secret expires, or why that is not known', () => {
  const detalhe = 'O segredo vence em 31/01/2031, lido do Microsoft Entra.'
  const segredo = { leitura: 'lida', expiraEm: '2031-01-31', detalhe } as const
  show({ ...resultOf([true, true, true, true], ''), segredo })
  expect(screen.getByText('Validade do segredo').parentElement?.textContent).toBe(
    `Validade do segredo: ${detalhe}`,
  )
})

test('the connection test panel shows the error without steps when the test could not run', () => {
  show(undefined, new ApiProblem(404, { codigo: 'nao_encontrado', detail: 'Não existe mais.' }))
  expect(screen.getByRole('alert').textContent).toContain('Não existe mais.')
  expect(screen.queryByRole('list')).toBeNull()
})
