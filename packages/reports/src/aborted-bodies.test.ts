import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GROUP, REPORT, type Service, startService } from '../test/fixture.ts'

let service: Service
let lines: Record<string, unknown>[] = []
const stream = new Writable({
  write(chunk, _encoding, done) {
    for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
    done()
  },
})
beforeAll(async () => {
  service = await startService({ env: { LOG_LEVEL: 'info' }, options: { logTo: stream } })
  await service.loaded
  await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => service.stop())

const json = 'content-type: application/json'

test.each([
  ['with a length', 'content-length: 500', '{"accessLevel":'],
  ['in chunks', 'transfer-encoding: chunked', '5\r\n{"acc\r\n'],
])(
  'the service logs one info line without a stack when a client leaves while it sends a body %s',
  async (_, length, part) => {
    const token = await service.entraToken()
    for (const leave of ['destroy', 'resetAndDestroy'] as const) {
      lines = []
      const socket = connect((service.app.server.address() as AddressInfo).port, '127.0.0.1')
      await once(socket, 'connect')
      const head = [
        `POST /v1.0/myorg/groups/${GROUP}/reports/${REPORT}/GenerateToken HTTP/1.1`,
        'host: x',
        json,
        length,
        `authorization: Bearer ${token}`,
      ]
      socket.write([...head, '', part].join('\r\n'))
      await sleep(200)
      socket[leave]()
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
