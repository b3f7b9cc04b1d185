import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, TLSSocket } from 'node:tls'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { copyEmbedded } from '../test/database/embedded-template.ts'
import { companyTls } from '../test/outbound/company-network.ts'
import { freePort, messagesOf, password, spawnServer, untilReady } from '../test/processes/killed-server.ts'
import { openDatabase } from './platform/db/open-database.ts'
import { setTestRestore } from './platform/installation/test-environment.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-start-'))
  // durability.test.ts starts on an empty folder.
  await copyEmbedded(join(dataDir, 'database'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const signIn = (url: string, secret = password) =>
  fetch(`${url}/api/usuarios/authorizer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'pessoa0@exemplo.com.br', password: secret }),
  })

/** Signs in on a new connection: the stop may close a kept-alive one together with its request. */
const signInApart = (url: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const body = JSON.stringify({ username: 'pessoa0@exemplo.com.br', password })
    const headers = { 'content-type': 'application/json' }
    request(`${url}/api/usuarios/authorizer`, { method: 'POST', agent: false, headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end(body)
  })

test('an invalid setting stops the start with one sentence', { timeout: 180_000 }, async () => {
  const { child, output } = await spawnServer(dataDir, { SESSION_HOURS: 'oito' })
  expect(await once(child, 'exit')).toEqual([78, null])
  expect(messagesOf(output())).toEqual(['Configuração inválida: SESSION_HOURS deve ser um número de horas.'])
})

test('the log has each call without password or token; SIGTERM finishes the calls in progress and exits with 0', {
  timeout: 180_000,
}, async () => {
  const server = await spawnServer(dataDir, { LOG_LEVEL: 'trace' })
  const { url, child } = server
  expect(await untilReady(server), server.output()).toBe(true)
  await signIn(url, 'senha-errada-xyz')
  const { access_token } = (await (await signIn(url)).json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  await fetch(`${url}/api/usuarios/menus?token=${access_token}`, { headers })
  await fetch(`${url}/api/usuarios/relatorio/embed`, { method: 'POST', headers, body: '{"groupId":' })

  const ended = once(child, 'exit')
  const underWay = Array.from({ length: 12 }, () => signInApart(url))
  // The first answer has arrived, so the others are in progress: four passwords are hashed at a
  // time.
  await Promise.race(underWay)
  child.kill('SIGTERM')
  const answers = await Promise.all(underWay)
  expect(answers).toEqual(Array.from({ length: 12 }, () => 200))
  expect(await ended).toEqual([0, null])

  const log = server.output()
  const lines = log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  expect(lines.filter(({ path }) => path === '/api/usuarios/menus')).toHaveLength(1)
  const said = lines.filter(({ msg }) => ['started', 'stopping', 'stopped'].includes(msg))
  expect(said).toEqual([
    expect.objectContaining({ msg: 'started', service: 'portal', url: expect.stringContaining('http://') }),
    expect.objectContaining({ msg: 'stopping', reason: 'SIGTERM' }),
    expect.objectContaining({ msg: 'stopped' }),
  ])
  for (const secret of [password, 'senha-errada-xyz', access_token, access_token.split('.')[2] ?? 'x']) {
    expect(log).not.toContain(secret)
  }
})

test('a PostgreSQL that is still starting stops the start with one sentence', {
  timeout: 180_000,
}, async () => {
  // PostgreSQL's answer while it starts; a real server gives it for milliseconds only.
  const fields = Buffer.from('SFATAL\0C57P03\0Mthe database system is starting up\0\0')
  const answer = Buffer.alloc(5 + fields.length)
  answer.write('E')
  answer.writeInt32BE(4 + fields.length, 1)
  fields.copy(answer, 5)
  const postgres = createServer((socket) => socket.once('data', () => socket.end(answer)))
  postgres.listen(0, '127.0.0.1')
  await once(postgres, 'listening')
  onTestFinished(() => void postgres.close())
  const { port } = postgres.address() as { port: number }
  const { child, output } = await spawnServer(dataDir, {
    DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/bi_manager`,
  })
  expect(await once(child, 'exit')).toEqual([78, null])
  expect(messagesOf(output())).toEqual([
    `O banco de dados não aceita conexões agora (the database system is starting up). (DATABASE_URL: 127.0.0.1:${port}/bi_manager)`,
  ])
})

test('a PostgreSQL with an untrusted certificate stops the start with one sentence', {
  timeout: 180_000,
}, async () => {
  const context = createSecureContext(companyTls)
  const postgres = createServer((socket) =>
    // 'S' accepts the request for TLS.
    socket.once('data', () => {
      socket.write('S', () => new TLSSocket(socket, { isServer: true, secureContext: context }))
      socket.on('error', () => {})
    }),
  )
  postgres.listen(0, '127.0.0.1')
  await once(postgres, 'listening')
  onTestFinished(() => void postgres.close())
  const { port } = postgres.address() as { port: number }
  const { child, output } = await spawnServer(dataDir, {
    DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/bi_manager?sslmode=verify-full`,
  })
  expect(await once(child, 'exit')).toEqual([78, null])
  expect(messagesOf(output())).toEqual([
    expect.stringMatching(
      /^O certificado do banco de dados foi emitido por uma autoridade que o portal não conhece: .*\. \(DATABASE_URL: 127\.0\.0\.1:\d+\/bi_manager\)$/,
    ),
  ])
})

test('a database migrated by a newer version stops the start with one sentence', {
  timeout: 180_000,
}, async () => {
  const db = await openDatabase({ dataDir, databaseUrl: undefined, onError: console.error })
  await sql`insert into kysely_migration (name, timestamp) values ('9999_future', '2030')`.execute(db)
  await db.destroy()
  const { child, output } = await spawnServer(dataDir)
  expect(await once(child, 'exit')).toEqual([78, null])
  expect(messagesOf(output())).toEqual([
    `O banco de dados tem a migração 9999_future, que esta versão do BI Manager não conhece: uma versão mais nova já o usou. Inicie essa versão, ou restaure uma cópia de segurança anterior em um banco vazio. (DATA_DIR: ${dataDir})`,
  ])
})

test('a migration that fails stops the start with one sentence', {
  timeout: 180_000,
}, async () => {
  const db = await openDatabase({ dataDir, databaseUrl: undefined, onError: console.error })
  await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(db)
  await db.destroy()
  const { child, output } = await spawnServer(dataDir)
  expect(await once(child, 'exit')).toEqual([78, null])
  expect(messagesOf(output())).toEqual([
    expect.stringMatching(
      /^A migração \d{4}_\w+ falhou, e nada mudou .* already exists[^()]*\)\. .* \(DATA_DIR: .+\)$/,
    ),
  ])
})

test('a rehearsal says that no e-mail is sent, and promises no outbox folder', {
  timeout: 180_000,
}, async () => {
  const said = async () => {
    const { child, output } = await spawnServer(dataDir)
    await expect.poll(() => messagesOf(output()), { timeout: 120_000 }).toContain('started')
    child.kill('SIGTERM')
    await once(child, 'exit')
    return messagesOf(output()).join('\n')
  }
  expect(await said()).toContain('Sem SMTP_URL, os e-mails não são enviados: ficam como arquivos em ')
  const db = await openDatabase({ dataDir, databaseUrl: undefined, onError: console.error })
  // The folder is the rehearsal's own: it has no mark of production.
  await sql`update instalacao set id = gen_random_uuid()`.execute(db)
  const at = new Date().toISOString()
  await setTestRestore(db, { restauradaEm: at, copiaDe: at, bucket: null })
  await db.destroy()
  const rehearsal = await said()
  expect(rehearsal).toContain('nenhum e-mail é enviado')
  expect(rehearsal).not.toMatch(/outbox|SMTP_URL/)
})

test('a crash logs a JSON line with the reason and exits with 1', {
  timeout: 180_000,
}, async () => {
  // No request can crash the server, so the test preloads code that does.
  const crash = join(dataDir, 'crash.mjs')
  await writeFile(crash, "process.on('SIGUSR2', () => { throw new Error('quebrou de propósito') })")
  const server = await spawnServer(dataDir, { NODE_OPTIONS: `--import=${crash}` })
  expect(await untilReady(server), server.output()).toBe(true)
  server.child.kill('SIGUSR2')
  expect(await once(server.child, 'exit')).toEqual([1, null])
  const last = JSON.parse(server.output().trim().split('\n').at(-1) ?? '')
  expect(last).toMatchObject({ level: 'fatal', msg: 'crashed', err: { message: 'quebrou de propósito' } })
})

test('a portal whose launcher is killed while it starts ends by itself', {
  timeout: 180_000,
}, async () => {
  const launcher = `
    const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['--liftoff-only', ${JSON.stringify(join(import.meta.dirname, 'main.ts'))}], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child.on('spawn', () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100))`
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(await freePort()) }
  const child = spawn(process.execPath, ['-e', launcher], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  // The portal holds the pipe for as long as it lives.
  await once(child.stdout, 'close')
  expect(messagesOf(output).slice(-3)).toEqual(['started', 'stopping', 'stopped'])
})

test('LOG_FORMAT=texto logs the same as text', { timeout: 180_000 }, async () => {
  const { child, output } = await spawnServer(dataDir, { LOG_FORMAT: 'texto', SESSION_HOURS: 'oito' })
  expect(await once(child, 'exit')).toEqual([78, null])
  expect(output()).toMatch(/^\d\d:\d\d:\d\d FALHA \[portal\] Configuração inválida: SESSION_HOURS .*\n$/)
})

test('the portal starts on a newer database when this version works with each newer migration', {
  timeout: 180_000,
}, async () => {
  const db = await openDatabase({ dataDir, databaseUrl: undefined, onError: console.error })
  await sql`update kysely_migration set name = '9999_expand' where name = '9999_future'`.execute(db)
  await sql`insert into migracao values ('9999_expand', null)`.execute(db)
  await db.destroy()
  const server = await spawnServer(dataDir)
  expect(await untilReady(server), server.output()).toBe(true)
  expect((await signIn(server.url)).status).toBe(200)
  const ended = once(server.child, 'exit')
  server.child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test.each([
  ['nothing', ''],
  ['half a head', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-a: '],
])('a connection that has sent %s does not hold up the stop', { timeout: 180_000 }, async (_, sent) => {
  const server = await spawnServer(dataDir)
  expect(await untilReady(server), server.output()).toBe(true)
  const socket = connect(Number(new URL(server.url).port), 'localhost')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(sent)
  const ended = once(server.child, 'exit')
  server.child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(messagesOf(server.output()).at(-1)).toBe('stopped')
})

describe('draining', { timeout: 180_000 }, () => {
  const begin = async (seconds: string) => {
    const server = await spawnServer(dataDir, { DRAIN_SECONDS: seconds })
    expect(await untilReady(server), server.output()).toBe(true)
    const statusOf = async (path: string) => {
      const response = await fetch(server.url + path)
      await response.body?.cancel()
      return { status: response.status, connection: response.headers.get('connection') }
    }
    return { ...server, statusOf, ended: once(server.child, 'exit') }
  }

  test('draining answers 503 on /readyz after SIGTERM, serves other calls, and exits with 0', async () => {
    const { child, statusOf, ended, url } = await begin('2')
    const { access_token } = (await (await signIn(url)).json()) as { access_token: string }
    const stream = await fetch(`${url}/api/usuarios/eventos`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    const heard = stream.text()
    const since = Date.now()
    child.kill('SIGTERM')
    await expect.poll(async () => (await statusOf('/readyz')).status).toBe(503)
    // Until the time is over, for clients that the load balancer has not moved.
    expect(await statusOf('/healthz')).toEqual({ status: 200, connection: 'close' })
    expect((await signIn(url)).status).toBe(200)
    expect(await ended).toEqual([0, null])
    expect(Date.now() - since).toBeGreaterThan(1_900)
    expect(await heard).toMatch(/retry: 1000\n\n$/)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('draining ends early on %s', async (signal) => {
    const { child, statusOf, ended } = await begin('60')
    const since = Date.now()
    child.kill('SIGTERM')
    await expect.poll(async () => (await statusOf('/readyz')).status).toBe(503)
    child.kill(signal)
    expect(await ended).toEqual([0, null])
    expect(Date.now() - since).toBeLessThan(10_000)
  })
})
