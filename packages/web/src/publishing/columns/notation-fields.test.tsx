import type { DataNotation } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { PublishPage } from '../publish-page.tsx'

const rascunho = '0a5d9b1e-6c0f-4f4e-9d0e-5b8f4f2d7c11'
const other = { notacao: null, valores: 2, duasLeituras: false, duasOrdens: false }
const columns = (duasLeituras: boolean, duasOrdens: boolean) => [
  { ...other, nome: 'Unidade', rotulo: 'Unidade', tipo: 'TEXTO' },
  { ...other, nome: 'Peso', rotulo: 'Peso', tipo: 'NUMERO', duasLeituras },
  { ...other, nome: 'Dia', rotulo: 'Dia', tipo: 'DATA', duasOrdens },
]
const clear: DataNotation = {
  marcaDecimal: null,
  marcaEmDuvida: false,
  ordemDasDatas: null,
  ordemEmDuvida: false,
  totais: 0,
  semTotais: false,
}
const rows = [
  { linha: 1, texto: 'Pesos por unidade' },
  { linha: 2, texto: 'Unidade · Peso' },
]
const place = { abas: [], aba: null, linhaDoCabecalho: 2, linhasNoCabecalho: 1, primeirasLinhas: rows }

let escrita: DataNotation
let faults: string[]
let orders: Record<string, unknown>[]
beforeEach(() => {
  startSession(signedInUntil(Date.now() + 600_000))
  escrita = { ...clear, marcaEmDuvida: true }
  faults = []
  orders = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    const { pathname } = new URL(url, 'https://portal.test')
    if (pathname.endsWith('/publicacoes/workspaces')) return Response.json([])
    if (pathname.endsWith('/leitura')) {
      const order = JSON.parse(String(body))
      orders.push(order)
      const marcaDecimal = order.marcaDecimal ?? escrita.marcaDecimal
      const isInDoubt = escrita.marcaEmDuvida && !marcaDecimal
      return Response.json({
        erros: order.linhaDoCabecalho ? [] : faults,
        avisos: [],
        linhas: 2,
        colunas: columns(escrita.marcaEmDuvida, escrita.ordemDasDatas !== null || escrita.ordemEmDuvida),
        amostra: [['A', marcaDecimal === 'ponto' ? '3.25' : '3250.0', '2026-02-01']],
        tabelas: [],
        relatorio: '{"name":"Pesos","pages":[]}',
        proposta: [],
        lugar: place,
        escrita: {
          ...escrita,
          marcaDecimal,
          marcaEmDuvida: isInDoubt,
          ordemDasDatas: order.ordemDasDatas ?? escrita.ordemDasDatas,
          ordemEmDuvida: escrita.ordemEmDuvida && !order.ordemDasDatas,
          semTotais: order.semTotais ?? false,
        },
      })
    }
    if (pathname.endsWith('/publicacoes') && method === 'POST')
      return Response.json({ rascunho, apagados: [] }, { status: 201 })
    return Response.json({ erros: [], avisos: [], idPowerBI: 1, idGrupo: 'g', reportId: 'r', previa: null })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = async () => {
  const router = createMemoryRouter([{ path: '*', element: <PublishPage Preview={() => null} /> }])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <RouterProvider router={router} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('There is no file input.')
  await userEvent.upload(input, new File(['Unidade;Peso\nA;3.250\n'], 'pesos.csv'))
}

test('the form asks for the decimal mark, and keeps it when a type is changed later', async () => {
  await show()
  const mark = await screen.findByLabelText<HTMLSelectElement>('Marca decimal')
  expect(mark.value).toBe('')
  screen.getByText('Os números podem ser lidos de duas formas. Escolha uma.')
  screen.getByText('vírgula ou ponto decimal?')
  fireEvent.change(mark, { target: { value: 'ponto' } })
  await screen.findByText('3,25')
  expect(screen.queryByText('vírgula ou ponto decimal?')).toBeNull()
  fireEvent.change(screen.getByLabelText('Tipo de Unidade'), { target: { value: 'TEXTO' } })
  await vi.waitFor(() => expect(orders).toHaveLength(3))
  expect(orders.at(-1)).toMatchObject({ marcaDecimal: 'ponto', tipos: { Unidade: 'TEXTO' } })
})

test('the form says the decimal mark in words where the values decide it', async () => {
  escrita = { ...clear, marcaDecimal: 'virgula' }
  await show()
  await screen.findByText('Vírgula decimal: 1.234,56')
  expect(screen.queryByLabelText('Marca decimal')).toBeNull()
})

test('the form asks for the order of dates, and keeps it with the decimal mark', async () => {
  escrita = { ...clear, marcaEmDuvida: true, ordemEmDuvida: true }
  await show()
  const order = await screen.findByLabelText<HTMLSelectElement>('Ordem das datas')
  expect(order.value).toBe('')
  screen.getByText('dia ou mês antes?')
  screen.getByText('Decide as datas de Dia, que servem às duas ordens.')
  fireEvent.change(order, { target: { value: 'mesAntes' } })
  await vi.waitFor(() => expect(screen.queryByText('dia ou mês antes?')).toBeNull())
  fireEvent.change(screen.getByLabelText('Marca decimal'), { target: { value: 'ponto' } })
  await screen.findByText('3,25')
  expect(orders.at(-1)).toMatchObject({ marcaDecimal: 'ponto', ordemDasDatas: 'mesAntes' })
})

test('the form shows the order of dates where the values decide nothing, to be changed with one choice', async () => {
  escrita = { ...clear, ordemDasDatas: 'diaAntes' }
  await show()
  const order = await screen.findByLabelText<HTMLSelectElement>('Ordem das datas')
  expect(order.value).toBe('diaAntes')
  fireEvent.change(order, { target: { value: 'mesAntes' } })
  await vi.waitFor(() => expect(orders.at(-1)).toMatchObject({ ordemDasDatas: 'mesAntes' }))
})

test('the form offers to leave a row of totals out', async () => {
  escrita = { ...clear, marcaDecimal: 'virgula', totais: 1 }
  await show()
  await userEvent.click(await screen.findByLabelText('Deixar de fora a linha de total'))
  await vi.waitFor(() => expect(orders.at(-1)).toMatchObject({ semTotais: true }))
})

test('the form offers the rows of a file whose heading was not found', async () => {
  faults = ['pesos.csv: linha 2: 2 campos, e o cabeçalho tem 1']
  await show()
  const heading = await screen.findByLabelText('Linha do cabeçalho')
  expect(screen.queryByText('3. O relatório')).toBeNull()
  fireEvent.change(heading, { target: { value: '1+1' } })
  await screen.findByText('3. O relatório')
  expect(orders.at(-1)).toMatchObject({ linhaDoCabecalho: 1 })
})

test('the form offers groups above names in a CSV, and to read it without a heading', async () => {
  await show()
  const heading = await screen.findByLabelText<HTMLSelectElement>('Linha do cabeçalho')
  fireEvent.change(heading, { target: { value: '1+2' } })
  await vi.waitFor(() => expect(orders.at(-1)).toMatchObject({ linhaDoCabecalho: 1, linhasNoCabecalho: 2 }))
  fireEvent.change(heading, { target: { value: '2+0' } })
  await vi.waitFor(() => expect(orders.at(-1)).toMatchObject({ linhaDoCabecalho: 2, linhasNoCabecalho: 0 }))
})
