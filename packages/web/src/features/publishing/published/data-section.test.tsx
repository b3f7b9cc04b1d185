import {
  DATA_FILE_BYTES,
  type DataReplacement,
  type PublishedReport,
  type PublishedTable,
} from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sizeText } from '../../../lib/text/size-text.ts'
import { DataSection } from './data-section.tsx'

const reportId = '5b218778-e7a5-4d73-8187-f10824047715'
const rascunho = '0a5d9b1e-6c0f-4f4e-9d0e-5b8f4f2d7c11'
const report: PublishedReport = {
  ...{ reportId, nome: 'Custos', workspace: { idGrupo: 'g', nome: 'Saúde' }, idRelatorio: 7, versoes: 3 },
  ultima: null,
}
const table = (nome: string, oculta = false): PublishedTable => ({
  ...{ nome, oculta, colunas: [{ nome: 'Valor_pago', rotulo: 'Valor pago', tipo: 'NUMERO' }] },
})

let sent: [string, unknown][]
let tables: PublishedTable[]
let outcome: DataReplacement
beforeEach(() => {
  sent = []
  tables = [table('Custos')]
  outcome = { erros: [], avisos: [], linhas: 1_250 }
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    if (method === 'GET') return Response.json(tables)
    if (url.endsWith('/publicacoes')) return Response.json({ rascunho, apagados: [] }, { status: 201 })
    sent.push([url.replace(/^.*relatorios\//, ''), JSON.parse(String(body))])
    return Response.json(outcome)
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <MemoryRouter>
          <DataSection report={report} />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  return screen.findByRole('region', { name: 'Arquivo com os dados novos' })
}
const drop = (area: HTMLElement, name = 'abril.csv') =>
  fireEvent.drop(area, { dataTransfer: { files: [new File(['Valor\n1\n'], name)] } })

test('checks a file first, and replaces the data only when asked to', async () => {
  const area = await show()
  expect(screen.getByText('Colunas: Valor pago.')).toBeTruthy()
  expect(screen.getByText(new RegExp(`até ${sizeText(DATA_FILE_BYTES)}$`))).toBeTruthy()
  drop(area)
  await screen.findByText('Conferido: as colunas são as mesmas.')
  const body = { rascunho, tabela: 'Custos' }
  expect(sent).toEqual([[`${reportId}/dados/conferencia`, body]])
  await userEvent.click(screen.getByRole('button', { name: 'Substituir por 1.250 linhas' }))
  await screen.findByText(/Dados substituídos: 1.250 linhas/)
  expect(sent.at(-1)).toEqual([`${reportId}/dados`, body])
  expect(screen.queryByRole('button', { name: /^Substituir por/ })).toBeNull()
})

test('replaces the data once when the button is clicked twice at once', async () => {
  drop(await show())
  const button = await screen.findByRole('button', { name: 'Substituir por 1.250 linhas' })
  fireEvent.click(button)
  fireEvent.click(button)
  await screen.findByText(/Dados substituídos: 1.250 linhas/)
  expect(sent.filter(([path]) => path === `${reportId}/dados`)).toHaveLength(1)
})

test('names the columns that do not fit, and offers no replacement', async () => {
  outcome = { erros: ['abril.csv: falta a coluna Valor'], avisos: [], linhas: 0 }
  drop(await show())
  await screen.findByText('Este arquivo não pode substituir os dados')
  expect(screen.getByText('abril.csv: falta a coluna Valor')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Substituir por/ })).toBeNull()
})

test('refuses a file of another kind before it is sent', async () => {
  drop(await show(), 'abril.pdf')
  await screen.findByText('Escolha um arquivo CSV, XLSX ou Parquet.')
  expect(sent).toEqual([])
})

test('lets choose the table where there are several', async () => {
  tables = [table('Acessos', true), table('Custos'), table('Metas')]
  const area = await show()
  const select = screen.getByLabelText('Tabela')
  expect(select).toHaveProperty('value', 'Custos')
  await userEvent.selectOptions(select, 'Metas')
  drop(area)
  await waitFor(() => expect(sent[0]?.[1]).toEqual({ rascunho, tabela: 'Metas' }))
})
