import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { copyEmbedded } from '../../../test/database/embedded-template.ts'
import {
  createPeople,
  killDuringWrites,
  nameOf,
  password,
  type Server,
  spawnServer,
  untilReady,
} from '../../../test/processes/killed-server.ts'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import { startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import { loadSecrets } from '../config/secrets.ts'
import { openDatabase } from './open-database.ts'

// Embedded database only: vitest.config.ts excludes this file from the PostgreSQL project.
describe('the embedded database', () => {
  test('the embedded database keeps every acknowledged write through kill -9 (durability.long.ts kills 20 times)', {
    timeout: 120_000,
  }, async () => {
    const { acknowledged, missing, complaints } = await killDuringWrites(2)
    expect(acknowledged).toBeGreaterThan(10)
    expect(missing).toBe(0)
    expect(complaints).toEqual([])
  })

  test('the embedded database keeps every answered sign-in failure counted through kill -9', {
    timeout: 120_000,
  }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-guesses-'))
    const counted: number[] = []
    try {
      await createPeople(dataDir)
      for (const { guess, status } of [
        { guess: wrongPassword, status: 401 },
        { guess: wrongCode, status: 422 },
      ]) {
        const server = await spawnServer(dataDir)
        expect(await untilReady(server), server.output()).toBe(true)
        const answer = await guess(server.url)
        for (let n = 0; n < 3; n += 1) expect((await answer()).status).toBe(status)
        server.child.kill('SIGKILL')
        await once(server.child, 'exit')
        const db = await openDatabase({ dataDir, databaseUrl: undefined, onError: console.error })
        counted.push((await db.selectFrom('falhaLogin').select('chave').execute()).length)
        await db.deleteFrom('falhaLogin').execute()
        await db.destroy()
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
    // A wrong password counts for the account and for the network address.
    expect(counted).toEqual([6, 3])
  })

  test('the embedded database keeps the audit line of every issued embed token through kill -9', {
    timeout: 120_000,
  }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-tokens-'))
    const provider = await startProvider()
    const open = () => openDatabase({ dataDir, databaseUrl: undefined, onError: console.error })
    const writers = 4
    const enough = 60
    let answered = 0
    let server: Server | undefined
    try {
      await createPeople(dataDir)
      const before = await open()
      await before.updateTable('usuario').set({ tipoUsuario: 'ADMIN' }).execute()
      const services = { secrets: loadSecrets(APP_SECRET, dataDir) }
      const { idPowerBi } = await createConnection({ db: before, services })
      const { idGrupo, idGrupoRelatorio } = await createWorkspace({ db: before }, { idPowerBi })
      const { reportId } = await createReport({ db: before }, { idGrupoRelatorio })
      await before.destroy()

      server = await spawnServer(dataDir, {
        APP_SECRET,
        ...provider.settings,
      })
      const { url, child } = server
      expect(await untilReady(server), server.output()).toBe(true)
      const { access_token: token } = (await (await signIn(url, password)).json()) as {
        access_token: string
      }
      const write = async () => {
        // Ends when the server is killed and the connection breaks.
        for (;;) {
          const embedded = await embed(url, { groupId: idGrupo, reportId }, token)
          if (embedded === undefined) return
          expect(embedded).toEqual({ status: 200, body: expect.stringContaining('embedToken') })
          answered += 1
          if (answered === enough) child.kill('SIGKILL')
        }
      }
      await Promise.all([once(child, 'exit'), ...Array.from({ length: writers }, write)])

      const after = await open()
      const lines = await after
        .selectFrom('auditoria')
        .select('acao')
        .where('acao', '=', 'embed.issued')
        .execute()
      await after.destroy()
      expect(answered).toBeGreaterThanOrEqual(enough)
      // At most one more for each call in progress at the kill.
      expect(lines.length).toBeGreaterThanOrEqual(answered)
      expect(lines.length).toBeLessThanOrEqual(answered + writers)
    } finally {
      server?.child.kill('SIGKILL')
      await provider.close()
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  test('the embedded database refuses a second process on the same folder with a clear message, and stops cleanly', {
    timeout: 180_000,
  }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-two-'))
    await copyEmbedded(join(dataDir, 'database'))
    const first = await spawnServer(dataDir)
    expect(await untilReady(first), first.output()).toBe(true)
    const second = await spawnServer(dataDir)
    const [code] = await once(second.child, 'exit')
    expect(code).toBe(78)
    expect(JSON.parse(second.output())).toMatchObject({
      level: 'fatal',
      msg: `A pasta de dados ${join(dataDir, 'database')} já está em uso por outro processo do BI Manager.`,
    })
    expect((await stat(join(dataDir, 'database'))).mode & 0o077).toBe(0)
    expect((await stat(join(dataDir, 'database.lock'))).mode & 0o077).toBe(0)
    first.child.kill('SIGTERM')
    const [stopped] = await once(first.child, 'exit')
    expect(stopped).toBe(0)
    await rm(dataDir, { recursive: true, force: true })
  })

  test('the embedded database starts after a first start that was killed', { timeout: 180_000 }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-first-'))
    for (const delay of [300, 900, 1500]) {
      const cut = await spawnServer(dataDir)
      await new Promise((resolve) => setTimeout(resolve, delay))
      cut.child.kill('SIGKILL')
      await once(cut.child, 'exit')
    }
    const server = await spawnServer(dataDir)
    expect(await untilReady(server), server.output()).toBe(true)
    server.child.kill('SIGTERM')
    await once(server.child, 'exit')
    expect((await readdir(dataDir)).filter((name) => name.endsWith('.new'))).toEqual([])
    await rm(dataDir, { recursive: true, force: true })
  })
})

const post = (url: string, body: object, token = '') =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })

const signIn = (url: string, secret: string) =>
  post(`${url}/api/usuarios/authorizer`, { username: nameOf(1), password: secret })

const APP_SECRET = 'um segredo desta instalação de teste'

/** Returns undefined once the server is killed, also during its answer. */
const embed = async (url: string, address: object, token: string) => {
  try {
    const answer = await post(`${url}/api/usuarios/relatorio/embed`, address, token)
    return { status: answer.status, body: await answer.text() }
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

const wrongPassword = async (url: string) => () => signIn(url, 'Uma senha errada 7')

const wrongCode = async (url: string) => {
  const { access_token: token } = (await (await signIn(url, password)).json()) as { access_token: string }
  expect((await post(`${url}/api/conta/segundo-fator`, {}, token)).status).toBe(200)
  return () => post(`${url}/api/conta/segundo-fator/confirmar`, { codigo: '000000' }, token)
}
