import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser } from '../../../../test/users.ts'
import { buildApp } from '../../../app.ts'

let server: Awaited<ReturnType<typeof buildApp>>
let port: number
let token: string
let lines: Record<string, unknown>[] = []
const logTo = new Writable({
  write(chunk, _encoding, done) {
    for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
    done()
  },
})

const app = useTestApp({}, { resets: false })
beforeAll(async () => {
  token = (await app.as(await createUser(app, { tipoUsuario: 'ADMIN', acessoProntuario: true }))).token
  const config = { ...app.services.config, logLevel: 'info' as const }
  server = await buildApp({ ...app.services, config }, { logTo })
  await server.listen({ port: 0, host: '127.0.0.1' })
  port = (server.server.address() as AddressInfo).port
})
beforeEach(async () => {
  lines = []
})
afterAll(() => server.close())

/** Sends the head of a request and a part of its body, and closes the connection. */
const abort = async (head: string[], part: string, leave: 'destroy' | 'resetAndDestroy') => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write([...head, 'host: x', `authorization: Bearer ${token}`, '', part].join('\r\n'))
  await sleep(200)
  socket[leave]()
}

const json = 'content-type: application/json'
const form = 'content-type: multipart/form-data; boundary=b'
const file = '--b\r\ncontent-disposition: form-data; name="arquivo"; filename="a.png"\r\n\r\n\x89PNG'

describe('a client that disconnects while it sends a body', () => {
  test.each<[string, string[], string]>([
    ['with a length', ['POST /api/workspaces HTTP/1.1', json, 'content-length: 500'], '{"nomeGrupo":'],
    ['in chunks', ['POST /api/workspaces HTTP/1.1', json, 'transfer-encoding: chunked'], '5\r\n{"nom\r\n'],
    ['of a form', ['POST /api/anexos HTTP/1.1', form, 'content-length: 50000'], file],
    [
      'of a form in chunks',
      ['POST /api/anexos HTTP/1.1', form, 'transfer-encoding: chunked'],
      `50\r\n${file}`,
    ],
  ])(
    'a client that disconnects while it sends a body leaves one info line without a stack: %s',
    async (_, head, part) => {
      for (const leave of ['destroy', 'resetAndDestroy'] as const) {
        lines = []
        await abort(head, part, leave)
        await expect.poll(() => lines.length).toBeGreaterThan(0)
        await sleep(300)
        expect(lines).toEqual([
          expect.objectContaining({
            level: 'info',
            msg: 'request',
            method: 'POST',
            status: 499,
            aborted: true,
          }),
        ])
        expect(JSON.stringify(lines)).not.toContain('stack')
      }
    },
  )
})
