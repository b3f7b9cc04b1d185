import {
  type DataReplacement,
  MAX_UPLOAD_BYTES,
  type PublishedReport,
  type PublishedTable,
  type ReplacedColumn,
} from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sizeText } from '../../lib/text/size-text.ts'
import { DataSection } from './data-section.tsx'

const reportId = '5b218778-e7a5-4d73-8187-f10824047715'
const rascunho = '0a5d9b1e-6c0f-4f4e-9d0e-5b8f4f2d7c11'
const report: PublishedReport = {
  reportId,
  nome: 'Custos',
  workspace: { idGrupo: 'g', nome: 'Saúde' },
  idRelatorio: 7,
  versoes: 3,
  ultima: null,
}
const table = (nome: string, oculta = false): PublishedTable => ({
  nome,
  oculta,
  colunas: [{ nome: 'Valor_pago', rotulo: 'Valor pago', tipo: 'NUMERO' }],
})

let sent: [string, unknown][]
let tables: PublishedTable[]
let outcome: DataReplacement
/** Answers to checks with these choices. */
let answers: Record<string, DataReplacement>
const escrita = {
  marcaDecimal: null,
  marcaEmDuvida: false,
  ordemDasDatas: null,
  ordemEmDuvida: false,
  totais: 0,
  semTotais: false,
}
const nothing: DataReplacement = {
  erros: [],
  avisos: [],
  linhas: 0,
  mudancas: [],
  colunas: [],
  amostra: [],
  perguntas: [],
  lugar: null,
  escrita,
}
const column = (rotulo: string, more: Partial<ReplacedColumn> = {}): ReplacedColumn => ({
  nome: rotulo,
  rotulo,
  tipo: 'NUMERO',
  notacao: null,
  valores: 2,
  duasLeituras: false,
  duasOrdens: false,
  antes: 'NUMERO',
  ...more,
})
beforeEach(() => {
  sent = []
  tables = [table('Custos')]
  outcome = { ...nothing, linhas: 1_250 }
  answers = {}
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    if (method === 'GET') return Response.json(tables)
    if (url.endsWith('/publicacoes')) return Response.json({ rascunho, apagados: [] }, { status: 201 })
    sent.push([url.replace(/^.*relatorios\//, ''), JSON.parse(String(body))])
    const { tipos, escalas } = JSON.parse(String(body))
    return Response.json(answers[JSON.stringify({ ...tipos, ...escalas })] ?? outcome)
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

test('the section checks a file first, and replaces the data only when asked to', async () => {
  const area = await show()
  expect(screen.getByText('Colunas: Valor pago.')).toBeTruthy()
  expect(screen.getByText(new RegExp(`até ${sizeText(MAX_UPLOAD_BYTES)}$`))).toBeTruthy()
  drop(area)
  await screen.findByText('Conferido: as colunas são as mesmas.')
  const body = { rascunho, tabela: 'Custos', tipos: {}, escalas: {} }
  expect(sent).toEqual([[`${reportId}/dados/conferencia`, body]])
  await userEvent.click(screen.getByRole('button', { name: 'Substituir por 1.250 linhas' }))
  await screen.findByText(/Dados substituídos: 1.250 linhas/)
  expect(sent.at(-1)).toEqual([`${reportId}/dados`, body])
  expect(screen.queryByRole('button', { name: /^Substituir por/ })).toBeNull()
})

test('the section replaces the data once when the button is clicked twice at once', async () => {
  drop(await show())
  const button = await screen.findByRole('button', { name: 'Substituir por 1.250 linhas' })
  fireEvent.click(button)
  fireEvent.click(button)
  await screen.findByText(/Dados substituídos: 1.250 linhas/)
  expect(sent.filter(([path]) => path === `${reportId}/dados`)).toHaveLength(1)
})

test('the section names the columns that do not fit, and offers no replacement', async () => {
  outcome = { ...nothing, erros: ['abril.csv: falta a coluna Valor'] }
  drop(await show())
  await screen.findByText('Este arquivo não pode substituir os dados')
  expect(screen.getByText('abril.csv: falta a coluna Valor')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Substituir por/ })).toBeNull()
})

test('the section refuses a file of another kind before it is sent', async () => {
  drop(await show(), 'abril.png')
  await screen.findByText('Escolha um arquivo CSV, XLSX ou Parquet.')
  expect(sent).toEqual([])
})

test('the section lets choose the table where there are several', async () => {
  tables = [table('Acessos', true), table('Custos'), table('Metas')]
  const area = await show()
  const select = screen.getByLabelText('Tabela')
  expect(select).toHaveProperty('value', 'Custos')
  await userEvent.selectOptions(select, 'Metas')
  drop(area)
  await waitFor(() => expect(sent[0]?.[1]).toMatchObject({ rascunho, tabela: 'Metas' }))
})

test('the section says what becomes wider, and lets the type be changed', async () => {
  const widened = [column('CEP', { antes: 'INTEIRO' }), column('Nova', { tipo: 'TEXTO', antes: null })]
  const mudancas = ['a coluna CEP era número inteiro e agora é número']
  outcome = { ...nothing, linhas: 2, colunas: widened, amostra: [['1.5', 'x']], mudancas }
  const asText = [column('CEP', { tipo: 'TEXTO', antes: 'INTEIRO' })]
  answers['{"CEP":"TEXTO"}'] = { ...nothing, linhas: 2, colunas: asText, amostra: [['1,5']] }
  answers['{"CEP":"DATA"}'] = { ...nothing, erros: ['abril.csv: linha 2: "1,5" não é uma data'] }
  drop(await show())
  await screen.findByText('A coluna CEP era número inteiro e agora é número.')
  const table = screen.getByRole('region', { name: 'Primeiras linhas do arquivo novo' })
  expect(table.textContent).toContain('era número inteiro')
  expect(table.textContent).toContain('coluna nova')
  const type = () => screen.getByLabelText<HTMLSelectElement>('Tipo de CEP')
  await userEvent.selectOptions(type(), 'TEXTO')
  await waitFor(() => expect(type().value).toBe('TEXTO'))
  // A type that does not fit is not kept.
  await userEvent.selectOptions(type(), 'DATA')
  await screen.findByText('abril.csv: linha 2: "1,5" não é uma data')
  expect(type().value).toBe('TEXTO')
  await userEvent.click(screen.getByRole('button', { name: 'Substituir por 2 linhas' }))
  await screen.findByText(/Dados substituídos/)
  expect(sent.at(-1)).toEqual([
    `${reportId}/dados`,
    { rascunho, tabela: 'Custos', tipos: { CEP: 'TEXTO' }, escalas: {} },
  ])
})

test('the section asks what numbers without a percent sign are before it replaces percentages', async () => {
  const colunas = [column('Desconto')]
  outcome = {
    ...nothing,
    erros: ['abril.csv: diga se 8 é 8%'],
    linhas: 2,
    colunas,
    amostra: [['8']],
    perguntas: [
      {
        nome: 'Desconto',
        rotulo: 'Desconto',
        percentual: false,
        desconhecida: false,
        fracoes: false,
        respostas: ['DIVIDIR', 'FRACAO', 'COMO_LIDO'],
        exemplo: '8',
      },
    ],
  }
  answers['{"Desconto":"DIVIDIR"}'] = { ...nothing, linhas: 2, colunas, amostra: [['0.08']] }
  drop(await show())
  const question = await screen.findByLabelText('Os números de Desconto')
  expect(screen.queryByRole('button', { name: /^Substituir por/ })).toBeNull()
  await userEvent.selectOptions(question, 'São percentuais: 8 é 8%')
  await userEvent.click(await screen.findByRole('button', { name: 'Substituir por 2 linhas' }))
  await screen.findByText(/Dados substituídos/)
  expect(sent.at(-1)?.[1]).toMatchObject({ escalas: { Desconto: 'DIVIDIR' } })
})

test('the section asks for the decimal mark of the same sent file, and replaces with it', async () => {
  const doubt = 'abril.csv: a coluna Peso pode ser lida de duas formas.'
  outcome = { ...outcome, erros: [doubt], escrita: { ...escrita, marcaEmDuvida: true } }
  drop(await show())
  const mark = await screen.findByLabelText('Marca decimal')
  outcome = { ...outcome, erros: [], escrita: { ...escrita, marcaDecimal: 'ponto' } }
  fireEvent.change(mark, { target: { value: 'ponto' } })
  await userEvent.click(await screen.findByRole('button', { name: 'Substituir por 1.250 linhas' }))
  await screen.findByText(/Dados substituídos: 1.250 linhas/)
  expect(sent.map(([path, body]) => [path.replace(reportId, ''), body])).toMatchObject([
    ['/dados/conferencia', { rascunho, tabela: 'Custos' }],
    ['/dados/conferencia', { rascunho, tabela: 'Custos', marcaDecimal: 'ponto' }],
    ['/dados', { rascunho, tabela: 'Custos', marcaDecimal: 'ponto' }],
  ])
})

test('the section offers to leave totals out of the same sent file, and replaces without them', async () => {
  outcome.escrita = { ...escrita, marcaDecimal: 'virgula', totais: 2 }
  drop(await show())
  const box = await screen.findByLabelText<HTMLInputElement>('Deixar de fora as 2 linhas de totais')
  expect(box.checked).toBe(false)
  outcome = { ...outcome, linhas: 1_248, escrita: { ...outcome.escrita, semTotais: true } }
  await userEvent.click(box)
  await userEvent.click(await screen.findByRole('button', { name: 'Substituir por 1.248 linhas' }))
  await screen.findByText(/Dados substituídos: 1.248 linhas/)
  const body = { rascunho, tabela: 'Custos', tipos: {}, escalas: {} }
  expect(sent).toEqual([
    [`${reportId}/dados/conferencia`, body],
    [`${reportId}/dados/conferencia`, { ...body, semTotais: true }],
    [`${reportId}/dados`, { ...body, semTotais: true }],
  ])
})

test('the section takes totals in again when the box is cleared', async () => {
  outcome.escrita = { ...escrita, totais: 1, semTotais: true }
  drop(await show())
  const box = await screen.findByLabelText<HTMLInputElement>('Deixar de fora a linha de total')
  expect(box.checked).toBe(true)
  outcome = { ...outcome, escrita: { ...outcome.escrita, semTotais: false } }
  await userEvent.click(box)
  await waitFor(() => expect(sent.at(-1)?.[1]).toMatchObject({ semTotais: false }))
  await waitFor(() => expect(box.checked).toBe(false))
})

test('the section checks and replaces from another sheet of the same sent file', async () => {
  outcome.lugar = {
    abas: ['2025', '2026'],
    aba: '2025',
    linhaDoCabecalho: 1,
    linhasNoCabecalho: 1,
    primeirasLinhas: [{ linha: 1, texto: 'Valor' }],
  }
  drop(await show(), 'abril.xlsx')
  const field = await screen.findByLabelText<HTMLSelectElement>('Aba')
  outcome = { ...outcome, linhas: 2, lugar: { ...outcome.lugar, aba: '2026' } }
  fireEvent.change(field, { target: { value: '2026' } })
  await userEvent.click(await screen.findByRole('button', { name: 'Substituir por 2 linhas' }))
  await screen.findByText(/Dados substituídos: 2 linhas/)
  const body = { rascunho, tabela: 'Custos', aba: '2026', tipos: {}, escalas: {} }
  expect(sent.slice(1)).toEqual([
    [`${reportId}/dados/conferencia`, body],
    [`${reportId}/dados`, body],
  ])
})
