import {
  type DataSchedule,
  type DataScheduleState,
  type PublishedReport,
  problems,
} from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ScheduleSection } from './schedule-section.tsx'

const reportId = '5b218778-e7a5-4d73-8187-f10824047715'
const report: PublishedReport = {
  reportId,
  nome: 'Custos',
  workspace: { idGrupo: 'g', nome: 'Saúde' },
  idRelatorio: 7,
  versoes: 3,
  ultima: null,
}
const agenda: DataSchedule = {
  origem: 'PASTA',
  endereco: 'vendas/abril.csv',
  tabela: 'Custos',
  frequencia: 'DIA',
  horario: '06:00',
  ativa: true,
  proximaEm: '2026-03-06T09:00:00.000Z',
  ultima: { em: '2026-03-05T09:00:00.000Z', resultado: 'FALHOU', frase: 'O arquivo não existe.' },
}

let sent: [method: string, path: string, body: unknown][]
let state: DataScheduleState
let refusal: 'troca_em_andamento' | undefined
beforeEach(() => {
  sent = []
  refusal = undefined
  state = { temPasta: true, agenda: null }
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    if (url.endsWith('/tabelas')) return Response.json([{ nome: 'Custos', oculta: false, colunas: [] }])
    if (method !== 'GET' && refusal) {
      const { status, title, detail } = problems[refusal]
      return Response.json(
        { type: 'x', title, status, detail, codigo: refusal, idRequisicao: '1' },
        { status, headers: { 'content-type': 'application/problem+json' } },
      )
    }
    if (method !== 'GET') {
      sent.push([method, url.replace(/^.*relatorios\//, ''), body ? JSON.parse(String(body)) : undefined])
      if (method === 'DELETE') {
        state = { ...state, agenda: null }
        return new Response(null, { status: 204 })
      }
      state = { ...state, agenda: { ...agenda, ultima: null } }
    }
    return Response.json(state)
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <ScheduleSection report={report} />
      </MantineProvider>
    </QueryClientProvider>,
  )
const save = async () => userEvent.click(await screen.findByRole('button', { name: 'Gravar agendamento' }))

test('the section saves a schedule of a folder, and names a path that is not accepted', async () => {
  show()
  const path = await screen.findByLabelText('Caminho na pasta')
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Gravar agendamento' })).toHaveProperty('disabled', false),
  )
  fireEvent.change(path, { target: { value: '../fora.csv' } })
  await save()
  await screen.findByText(/Escreva o caminho a partir da pasta de dados/)
  expect(sent).toEqual([])
  fireEvent.change(path, { target: { value: 'vendas/abril.csv' } })
  await userEvent.selectOptions(screen.getByLabelText('Quando'), 'HORA')
  fireEvent.change(screen.getByLabelText('Hora'), { target: { value: '07:15' } })
  await save()
  await screen.findByText(/^Agendamento gravado\. Próxima troca: 06\/03\/2026 06:00/)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Gravar agendamento' }))
  expect(sent).toEqual([
    [
      'PUT',
      `${reportId}/agenda`,
      {
        origem: 'PASTA',
        endereco: 'vendas/abril.csv',
        tabela: 'Custos',
        frequencia: 'HORA',
        horario: '07:15',
        ativa: true,
      },
    ],
  ])
})

test('without a folder of the operator, only an https:// address can be chosen', async () => {
  state = { temPasta: false, agenda: null }
  show()
  const address = await screen.findByLabelText('Endereço do arquivo')
  expect(screen.getByText(/Nenhuma pasta foi permitida pelo operador/)).toBeTruthy()
  expect(screen.getByRole('option', { name: 'Pasta do servidor' })).toHaveProperty('disabled', true)
  fireEvent.change(address, { target: { value: 'http://exemplo.com.br/a.csv' } })
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Gravar agendamento' })).toHaveProperty('disabled', false),
  )
  await save()
  await screen.findByText('Escreva um endereço https:// completo, sem usuário nem senha.')
  expect(sent).toEqual([])
})

test('the section shows a failed run, runs it again, and removes the schedule', async () => {
  state = { temPasta: true, agenda }
  show()
  await screen.findByText('A última troca falhou')
  expect(screen.getByText(/05\/03\/2026 06:00: O arquivo não existe\. Os dados anteriores/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Trocar agora' }))
  await waitFor(() => expect(screen.queryByText('A última troca falhou')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Retirar agendamento' }))
  await screen.findByRole('dialog', { name: 'Deseja mesmo retirar esse agendamento?' })
  await userEvent.click(screen.getByRole('button', { name: 'Não, cancelar' }))
  expect(sent).toHaveLength(1)
  await userEvent.click(screen.getByRole('button', { name: 'Retirar agendamento' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Sim, retirar' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Trocar agora' })).toBeNull())
  expect(screen.getByLabelText('Caminho na pasta')).toHaveProperty('value', '')
  await userEvent.click(await screen.findByRole('button', { name: 'Fechar' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('De onde')))
  expect(sent.map(([method, path]) => [method, path])).toEqual([
    ['POST', `${reportId}/agenda/execucao`],
    ['DELETE', `${reportId}/agenda`],
  ])
})

test('a run that another one refuses says why', async () => {
  state = { temPasta: true, agenda }
  show()
  const button = await screen.findByRole('button', { name: 'Trocar agora' })
  refusal = 'troca_em_andamento'
  await userEvent.click(button)
  await screen.findByText(problems.troca_em_andamento.detail)
})
