import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../test/token.ts'
import { startSession } from '../lib/session/session.ts'
import { PublishPage } from './publish-page.tsx'

const rascunho = '0a5d9b1e-6c0f-4f4e-9d0e-5b8f4f2d7c11'
const relatorio = { idRelatorio: 7, reportId: 'r', nomeRelatorio: 'Custos', papeisRls: [], versao: 1 }

/** The proposal names the type of the column. */
const readingOf = (tipo: string) => ({
  erros: [],
  avisos: [],
  linhas: 1,
  amostra: [['1']],
  tabelas: [],
  lugar: null,
  escrita: {
    marcaDecimal: null,
    marcaEmDuvida: false,
    ordemDasDatas: null,
    ordemEmDuvida: false,
    totais: 0,
    semTotais: false,
  },
  colunas: [
    {
      nome: 'codigo',
      rotulo: 'Código',
      tipo,
      notacao: null,
      valores: 1,
      duasLeituras: false,
      duasOrdens: false,
    },
  ],
  relatorio: JSON.stringify({ name: 'Custos', description: tipo, pages: [] }),
  proposta: [tipo === 'TEXTO' ? 'Em filtros e grupos: Código.' : 'Somadas: Código.'],
})

interface Order {
  tipos: Record<string, string>
  aba?: string
  linhaDoCabecalho?: number
}
let read: Order[]
let sent: { path: string; body: { fuso?: string } }[]
/** The reading that differs from `readingOf`. */
let answer: (order: Order) => object | undefined

beforeEach(() => {
  read = []
  sent = []
  answer = () => undefined
  startSession(signedInUntil(Date.now() + 600_000))
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    const { pathname } = new URL(url, 'https://portal.test')
    if (pathname.endsWith('/publicacoes/workspaces'))
      return Response.json([{ idGrupo: 'g', nome: 'Área', idGrupoRelatorio: 3 }])
    if (pathname.endsWith('/leitura')) {
      const order = JSON.parse(String(body))
      read.push(order)
      return Response.json(answer(order) ?? readingOf(order.tipos.codigo ?? 'INTEIRO'))
    }
    if (pathname.endsWith('/publicacoes') && method === 'POST')
      return Response.json({ rascunho, apagados: ['antigo.csv'] }, { status: 201 })
    if (pathname.includes('/publicacoes/')) {
      if (body) sent.push({ path: pathname.replace(/.*\//, ''), body: JSON.parse(String(body)) })
      return Response.json({
        erros: [],
        avisos: [],
        idPowerBI: 1,
        idGrupo: 'g',
        reportId: 'r',
        previa: null,
      })
    }
    return Response.json([relatorio], { headers: { 'x-total-count': '1' } })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Sends a file, and returns the field of its column's type. */
const show = async () => {
  const page = <PublishPage Preview={() => null} />
  const router = createMemoryRouter([{ path: '*', element: page }])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <RouterProvider router={router} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('There is no file input.')
  await userEvent.upload(input, new File(['Código\n1\n'], 'custos.csv'))
  return screen.findByLabelText<HTMLSelectElement>('Tipo de Código')
}

test('the page does not let the types be changed once the report is published', async () => {
  const type = await show()
  expect(type.disabled).toBe(false)
  const publish = screen.getByRole<HTMLButtonElement>('button', { name: 'Publicar' })
  await vi.waitFor(() => expect(publish.disabled).toBe(false))
  await userEvent.click(publish)
  await screen.findByRole('heading', { name: 'Relatório publicado!' })
  expect(type.disabled).toBe(true)
})

test('the page says until when a file is kept, and which one made room for it', async () => {
  await show()
  screen.getByText(
    'O que você envia e não publica é apagado quando você deixa a página, ou depois de um dia.',
  )
  screen.getByText(/o mais antigo foi apagado para dar lugar: antigo\.csv\.$/)
})

test('the page says what the proposal makes of the columns, as their types are now', async () => {
  const type = await show()
  const said = () => screen.getByRole('region', { name: 'O que a proposta faz com as colunas' }).textContent
  expect(said()).toContain('Somadas: Código.')
  fireEvent.change(type, { target: { value: 'TEXTO' } })
  await vi.waitFor(() => expect(said()).toContain('Em filtros e grupos: Código.'))
  expect(said()).not.toContain('Somadas')
})

test('the page undoes nothing of the editor back into an earlier proposal', async () => {
  const type = await show()
  await userEvent.click(screen.getByText('Definição do relatório'))
  const editor = () => screen.findByRole('textbox', { name: 'Definição do relatório' })
  expect((await editor()).textContent).toContain('INTEIRO')
  fireEvent.change(type, { target: { value: 'TEXTO' } })
  await vi.waitFor(async () => expect((await editor()).textContent).toContain('TEXTO'))
  const field = await editor()
  fireEvent.keyDown(field, { key: 'z', code: 'KeyZ', keyCode: 90, ctrlKey: true })
  expect((await editor()).textContent).toContain('TEXTO')
})

/** A workbook of two sheets; the heading of the second one is in row 4. */
const ofWorkbook = ({ aba = 'Resumo', linhaDoCabecalho }: Order) => {
  const isRight = aba === 'Resumo' || linhaDoCabecalho === 4
  return {
    ...readingOf('INTEIRO'),
    ...(isRight ? {} : { erros: ['custos.xlsx: linha 1: …'], colunas: [], relatorio: '' }),
    lugar: {
      abas: ['Resumo', 'Produção'],
      aba,
      linhaDoCabecalho: linhaDoCabecalho ?? 1,
      linhasNoCabecalho: 1,
      primeirasLinhas: [
        { linha: 1, texto: 'Relatório' },
        { linha: 4, texto: 'Unidade · Valor' },
        { linha: 5, texto: 'Centro · 1' },
      ],
    },
  }
}

test('the page reads another sheet and heading, and keeps what was adjusted when one is refused', async () => {
  answer = ofWorkbook
  await show()
  const name = screen.getByLabelText<HTMLInputElement>('Nome do relatório')
  await userEvent.type(name, ' novos')
  fireEvent.change(screen.getByLabelText('Aba'), { target: { value: 'Produção' } })
  await screen.findByText('custos.xlsx: linha 1: …')
  expect(screen.queryByLabelText('Tipo de Código')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Publicar' })).toBeNull()
  fireEvent.change(screen.getByLabelText('Linha do cabeçalho'), { target: { value: '4+1' } })
  await screen.findByLabelText('Tipo de Código')
  expect(read.map(({ aba, linhaDoCabecalho }) => [aba, linhaDoCabecalho])).toEqual([
    [undefined, undefined],
    ['Produção', undefined],
    ['Produção', 4],
  ])
  expect(screen.getByLabelText<HTMLInputElement>('Nome do relatório').value).toBe('Custos novos')
  screen.getByRole('button', { name: 'Publicar' })
  // A type is changed in the chosen sheet.
  fireEvent.change(screen.getByLabelText('Tipo de Código'), { target: { value: 'TEXTO' } })
  await vi.waitFor(() => expect(read.at(-1)).toMatchObject({ aba: 'Produção', linhaDoCabecalho: 4 }))
})

test('the page offers two rows of a heading, and where the rows are of a file that was refused', async () => {
  answer = (order) => (order.linhaDoCabecalho ? undefined : ofWorkbook({ ...order, aba: 'Produção' }))
  show().catch(() => undefined)
  const field = await screen.findByLabelText<HTMLSelectElement>('Linha do cabeçalho')
  expect([...field.options].map(({ textContent }) => textContent)).toEqual([
    'Linha 1: Relatório',
    'Linha 4: Unidade · Valor',
    'Linha 5: Centro · 1',
    'Linhas 4 e 5: Centro · 1',
    'O arquivo não tem cabeçalho: dados desde a linha 1',
  ])
  fireEvent.change(field, { target: { value: '4+2' } })
  await screen.findByLabelText('Tipo de Código')
  expect(read.at(-1)).toMatchObject({ aba: 'Produção', linhaDoCabecalho: 4, linhasNoCabecalho: 2 })
})

test('the page asks for the time zone of data with moments, and publishes with it', async () => {
  const type = await show()
  expect(screen.queryByLabelText('Fuso horário dos dados')).toBeNull()
  fireEvent.change(type, { target: { value: 'DATA_HORA' } })
  const zone = await screen.findByLabelText<HTMLSelectElement>('Fuso horário dos dados')
  expect(zone.value).toBe('America/Sao_Paulo')
  fireEvent.change(zone, { target: { value: 'America/Manaus' } })
  const last = (path: string) => sent.findLast((one) => one.path === path)?.body.fuso
  await vi.waitFor(() => expect(last('conferencia')).toBe('America/Manaus'), 5_000)
  await vi.waitFor(() => expect(last('previa')).toBe('America/Manaus'), 5_000)
  // Without moments there is no zone to choose, and none is sent.
  fireEvent.change(type, { target: { value: 'TEXTO' } })
  await vi.waitFor(() => expect(last('conferencia')).toBe('America/Sao_Paulo'), 5_000)
  fireEvent.change(type, { target: { value: 'DATA_HORA' } })
  await screen.findByLabelText('Fuso horário dos dados')
  await userEvent.click(screen.getByRole('button', { name: 'Publicar' }))
  await screen.findByRole('heading', { name: 'Relatório publicado!' })
  expect(last(rascunho)).toBe('America/Manaus')
})
