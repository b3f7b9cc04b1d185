import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { problem } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { sendFiles } from './send-files.ts'

let discarded: string[]
let reading: object
beforeEach(() => {
  startSession(signedInUntil(Date.now() + 600_000))
  discarded = []
  reading = { erros: [], avisos: [], lugar: null }
  let sent = 0
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method === 'DELETE') {
      discarded.push(url.replace(/^.*publicacoes\//, ''))
      return new Response(null, { status: 204 })
    }
    if (url.endsWith('/pastas')) return Response.json({ rascunho: 'pasta', apagados: [] }, { status: 201 })
    if (url.endsWith('/arquivos')) return problem(415, 'Não.')
    if (url.endsWith('/leitura')) return Response.json(reading)
    sent += 1
    const apagados = sent === 2 ? ['antigo.csv'] : []
    return sent < 3
      ? Response.json({ rascunho: `r${sent}`, apagados }, { status: 201 })
      : problem(503, 'Muitos.')
  })
})
afterEach(() => vi.unstubAllGlobals())

const chosen = (...paths: string[]) => paths.map((path) => ({ path, file: new File(['{}'], path) }))

test('the page discards the files that were sent before one that is refused', async () => {
  await expect(sendFiles(chosen('a.csv', 'b.csv', 'c.csv'))).rejects.toThrow('Muitos.')
  expect(discarded).toEqual(['r1', 'r2'])
})

test('the page discards a folder of which a file is refused', async () => {
  await expect(sendFiles(chosen('v/dataset.json'))).rejects.toThrow('Não.')
  expect(discarded).toEqual(['pasta'])
})

test('the page keeps a file of which another sheet may be read', async () => {
  const lugar = {
    abas: ['Capa', 'Dados'],
    aba: 'Capa',
    linhaDoCabecalho: 1,
    linhasNoCabecalho: 1,
    primeirasLinhas: [{ linha: 1, texto: 'Relatório' }],
  }
  reading = { erros: ['a.xlsx: linha 1: …'], avisos: [], lugar }
  const sent = await sendFiles(chosen('a.xlsx'))
  expect(sent).toMatchObject({ kind: 'data', drafts: [{ id: 'r1', reading }], faults: [] })
  expect(discarded).toEqual([])
  reading = { erros: ['b.csv: está vazio'], avisos: [], lugar: null }
  expect(await sendFiles(chosen('b.csv'))).toMatchObject({ drafts: [], faults: ['b.csv: está vazio'] })
  expect(discarded).toEqual(['r2'])
})

test('the page names the older files that made room for those that were sent', async () => {
  expect(await sendFiles(chosen('a.csv', 'b.csv'))).toMatchObject({ replaced: ['antigo.csv'] })
})
