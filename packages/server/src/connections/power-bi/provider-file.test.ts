import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { streamFromProvider } from './provider-call.ts'

/* Files of a provider that sends them in parts, or stops. */

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Opens a file that `send` sends. */
const open = async (send: (response: ServerResponse) => void, timeoutMs = 300) => {
  const own = createServer((_, response) => send(response))
  server = own
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(own.address() as AddressInfo).port}/file`
  const call = { provider: 'microsoft', operation: 'exportedFile' } as const
  return streamFromProvider({ call, url, init: {}, timeoutMs, hide: [] })
}
const readAll = async (chunks: AsyncIterable<Uint8Array>) => {
  const read: Uint8Array[] = []
  for await (const chunk of chunks) read.push(chunk)
  return Buffer.concat(read).toString()
}

describe('exportedFile', () => {
  test('exportedFile may take longer than the time limit while parts arrive', async () => {
    const { chunks, size } = await open(async (response) => {
      response.writeHead(200, { 'content-length': '6' })
      for (const part of ['a', 'b', 'c', 'd', 'e', 'f']) {
        response.write(part)
        await pause(150)
      }
      response.end()
    })
    expect([size, await readAll(chunks)]).toEqual([6, 'abcdef'])
  })

  test('exportedFile may be read slowly', async () => {
    const { chunks, size } = await open((response) => {
      response.write('ab')
      response.end('cd')
    })
    const first = await chunks.next()
    await pause(500)
    expect([size, Buffer.from(first.value ?? []).toString() + (await readAll(chunks))]).toEqual([
      undefined,
      'abcd',
    ])
  })

  test('exportedFile fails when the provider stops sending', async () => {
    const { chunks } = await open((response) => void response.write('ab'))
    await expect(readAll(chunks)).rejects.toMatchObject({ codigo: 'bi_sem_resposta' })
  })

  test('exportedFile fails when the connection breaks', async () => {
    const { chunks } = await open((response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('ab', () => response.destroy())
    })
    await expect(readAll(chunks)).rejects.toMatchObject({ codigo: 'bi_indisponivel' })
  })

  test('exportedFile is refused with the status and code of the answer', async () => {
    const opening = open((response) => {
      response.writeHead(404)
      response.end(JSON.stringify({ error: { code: 'Gone' } }))
    })
    await expect(opening).rejects.toMatchObject({ status: 404, code: 'Gone' })
  })
})

test('exportedFile is refused for silence when the answer of a refusal does not end', async () => {
  const opening = open((response) => {
    response.writeHead(500)
    response.write('{"error":')
  })
  await expect(opening).rejects.toMatchObject({ codigo: 'bi_sem_resposta' })
})
