import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser } from '../../../../test/users.ts'
import { buildApp } from '../../../app.ts'

let server: Awaited<ReturnType<typeof buildApp>>
let token: string
const lines: { level: string; msg: string }[] = []
const logTo = new Writable({
  write(chunk, _encoding, done) {
    for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
    done()
  },
})

const app = useTestApp({}, { resets: false })
beforeAll(async () => {
  token = (await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))).token
  const networks = ['127.0.0.0/8']
  await app.db.updateTable('configuracao').set({ redesAdmin: networks, redesUsuario: networks }).execute()
  const config = { ...app.services.config, logLevel: 'info' as const }
  server = await buildApp({ ...app.services, config }, { logTo })
  await server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => server.close())

test.each([
  ['of a session', 'GET /api/usuarios/menus', ''],
  ['of a sign-in', 'POST /api/usuarios/authorizer', JSON.stringify({ username: 'ana', password: 'errada' })],
  ['of a screen without a code', 'POST /api/telao/codigo', ''],
])('requests whose connection has closed cause no error: %s', async (_, line, body) => {
  lines.length = 0
  const request = [
    `${line} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
  const many = 30
  const { port } = server.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  // Several in one piece: the server reads the later ones after the connection has closed.
  socket.write(request.repeat(many), () => socket.resetAndDestroy())
  await expect.poll(() => lines.filter(({ msg }) => msg === 'request').length).toBeGreaterThan(1)
  await sleep(500)
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
})
