import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { problem } from '../../../test/medical-records.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { sendFiles } from './send-files.ts'

let discarded: string[]
beforeEach(() => {
  startSession(signedInUntil(Date.now() + 600_000))
  discarded = []
  let sent = 0
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method === 'DELETE') {
      discarded.push(url.replace(/^.*publicacoes\//, ''))
      return new Response(null, { status: 204 })
    }
    if (url.endsWith('/pastas')) return Response.json({ rascunho: 'pasta' }, { status: 201 })
    if (url.endsWith('/arquivos')) return problem(415, 'Não.')
    if (url.endsWith('/leitura')) return Response.json({ erros: [] })
    sent += 1
    return sent < 3 ? Response.json({ rascunho: `r${sent}` }, { status: 201 }) : problem(503, 'Muitos.')
  })
})
afterEach(() => vi.unstubAllGlobals())

const chosen = (...paths: string[]) => paths.map((path) => ({ path, file: new File(['{}'], path) }))

test('discards the files that were sent before one that is refused', async () => {
  await expect(sendFiles(chosen('a.csv', 'b.csv', 'c.csv'))).rejects.toThrow('Muitos.')
  expect(discarded).toEqual(['r1', 'r2'])
})

test('discards a folder of which a file is refused', async () => {
  await expect(sendFiles(chosen('v/dataset.json'))).rejects.toThrow('Não.')
  expect(discarded).toEqual(['pasta'])
})
