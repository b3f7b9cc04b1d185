import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { liveApi, reportRegistrationsApi, usersApi } from '@bi-manager/contract'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createKey } from '../../../../test/accounts/api-keys.ts'
import { openStream } from '../../../../test/accounts/live-stream.ts'
import { createAttachment } from '../../../../test/clinical/attachments.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../../test/reports.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser } from '../../../../test/users.ts'
import { notify } from '../../notifications/notify.ts'
import { largeAnswerOf } from './answer-slots.ts'

/* As in the report service (protocol/embed-api/unread-answers.test.ts): a client may never read it. */

const app = useTestApp()
let origin: URL
let limits: Record<string, number>
beforeAll(async () => {
  origin = new URL(await app.app.listen({ port: 0, host: '127.0.0.1' }))
  limits = { ...app.app.answerLimits }
})
beforeEach(() => void Object.assign(app.app.answerLimits, limits))

/** Bytes of the largest attachment; the operating system takes some for a client that does not read. */
const size = 10_000_000
const long = { timeout: 15_000 }

/** Returns a person with an attachment, and a function that opens it on an unread connection. */
const reader = async () => {
  const person = await createUser(app, { acessoProntuario: true })
  const session = await app.as(person)
  const id = await createAttachment({ app, caller: person }, Buffer.alloc(size))
  const path = `/api/anexos/${id}/arquivo`
  const headers = { authorization: `Bearer ${session.token}`, 'x-finalidade': 'Atendimento' }
  const open = async (path: string): Promise<Socket> => {
    const socket = connect(Number(origin.port), '127.0.0.1')
    socket.pause()
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    const lines = Object.entries({ host: origin.host, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    return socket
  }
  const get = (url: string) => fetch(new URL(url, origin), { headers })
  return { person, token: session.token, path, get, open: () => open(path) }
}

/** Sockets of the server, and those whose answers wait for their clients. */
const watch = () => {
  const sockets = new Set<Socket>()
  const add = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  app.app.server.on('connection', add)
  onTestFinished(() => void app.app.server.off('connection', add))
  return {
    open: () => sockets.size,
    unread: () => [...sockets].filter(({ writableLength }) => writableLength > 1_000_000).length,
  }
}

test('the limits are 30 s without progress, 5 min in total, and four answers of an owner', () => {
  expect(limits).toMatchObject({ idleMs: 30_000, totalMs: 300_000, perOwner: 4, waitMs: 20_000 })
})

describe('a file that its client does not read', () => {
  test('a file that its client does not read ends after a time without progress; a stream of events does not', async () => {
    app.app.answerLimits.idleMs = 200
    const { open, token, person } = await reader()
    const stream = await openStream(origin.origin, token)
    onTestFinished(stream.close)
    const watched = watch()
    await open()
    await expect.poll(watched.unread, long).toBe(1)
    await expect.poll(watched.open, long).toBe(0)
    const notice = { kind: 'senha_alterada', bell: { titulo: 'T', texto: 't' } } as const
    await notify(app.db, { audience: [person.idUsuario], ...notice }, app.services.now())
    await expect.poll(() => stream.events().length, long).toBe(1)
    expect(stream.isClosed()).toBe(false)
  })

  test('a file that its client does not read has no limit in total while its client makes progress', async () => {
    Object.assign(app.app.answerLimits, { idleMs: 2000, totalMs: 1 })
    const { open } = await reader()
    const socket = await open()
    let bytes = 0
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      socket.pause()
      setTimeout(() => socket.resume(), 1)
    })
    socket.resume()
    await expect.poll(() => bytes, { timeout: 20_000 }).toBeGreaterThan(size)
  }, 30_000)
})

describe('the large answers of one owner', () => {
  test('the large answers of one owner are four at a time; the others are sent as these are read', async () => {
    const { open } = await reader()
    const watched = watch()
    const sockets = await Promise.all(Array.from({ length: 12 }, open))
    await expect.poll(watched.unread, long).toBe(4)
    const other = await reader()
    expect((await (await other.get(other.path)).arrayBuffer()).byteLength).toBe(size)
    await expect.poll(watched.unread).toBe(4)
    const beginnings = sockets.map(async (socket) => {
      socket.resume()
      return String((await once(socket, 'data'))[0])
    })
    for (const beginning of await Promise.all(beginnings)) expect(beginning).toMatch(/^HTTP\/1.1 200/)
  }, 60_000)

  test('the large answers of one owner are refused with a reason when none is read in time; everything else is served', async () => {
    app.app.answerLimits.waitMs = 100
    const { open, get, path, person } = await reader()
    const watched = watch()
    await Promise.all(Array.from({ length: 4 }, open))
    await expect.poll(watched.unread, long).toBe(4)
    const refused = await get(path)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await refused.json()).toMatchObject({
      codigo: 'muitas_tentativas',
      detail: 'Você já tem 4 arquivos sendo baixados. Espere um deles terminar e tente de novo.',
    })
    expect((await get('/api/anexos')).status).toBe(200)
    expect((await get('/api/usuarios/conta')).status).not.toBe(429)
    // The programs of the same person have their own limit.
    const { credencial } = await createKey(app, person)
    const listed = await fetch(new URL('/api/grupos', origin), {
      headers: { authorization: `Bearer ${credencial}` },
    })
    expect(listed.status).not.toBe(429)
  }, 60_000)
})

// The kind: a large answer that a library's own route sends, past the slots of its sibling.
test.each(['openapi.json', 'docs/json', 'docs/yaml'])(
  'the description of all calls at %s takes a slot',
  async (path) => {
    Object.assign(app.app.answerLimits, { perOwner: 0, waitMs: 10 })
    const statusOf = async () => {
      const answer = await fetch(new URL(`/api/${path}`, origin))
      // An unread answer keeps its slot.
      await answer.arrayBuffer()
      return answer.status
    }
    expect(await statusOf()).toBe(429)
    Object.assign(app.app.answerLimits, limits)
    expect(await statusOf()).toBe(200)
  },
)

// The kind: values of a report are large, and neither their schema nor their route shows it.
test.each(['the visuals of a page for an alert', 'an answer of the MCP server'])(
  '%s takes a slot',
  async (kind) => {
    const person = await createUser(app)
    const { idPowerBi } = await createConnection(app)
    const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
    const { idRelatorio } = await createReport(app, { idGrupoRelatorio })
    await grantReport(app, person.idUsuario, idRelatorio)
    await app.db.updateTable('regrasChaves').set({ mcp: true, pessoas: true }).execute()
    const isMcp = kind.includes('MCP')
    const path = isMcp ? '/mcp' : `/api/usuarios/relatorio/${idRelatorio}/alertas/visuais`
    const { credencial } = await createKey(app, person)
    const token = isMcp ? credencial : (await app.as(person)).token
    Object.assign(app.app.answerLimits, { perOwner: 0, waitMs: 10 })
    const { status, statusText } = await fetch(new URL(path, origin), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect([status, statusText]).toEqual([429, 'Too Many Requests'])
  },
)

test('files and lists are large answers; images, events and records are not', () => {
  const found = [usersApi.exportCsv, usersApi.list, usersApi.get, reportRegistrationsApi.logo, liveApi.stream]
  expect(found.map(largeAnswerOf)).toEqual(['file', 'list', undefined, undefined, undefined])
})
