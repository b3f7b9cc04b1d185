import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { letTimePass } from '../../../../test/let-time-pass.ts'
import { messagesOf, shortLived, spawnServer, untilReady } from '../../../../test/processes/killed-server.ts'
import { startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createUser } from '../../../../test/users.ts'

/* Three processes on one PostgreSQL database and data folder, as in the manual's 'Vários nós'. */

const minute = 60_000
const day = 24 * 60 * minute
const program = join(import.meta.dirname, '../../../../test/backup/backup-node.ts')

let app: TestApp
let folder: string
let settings: Record<string, string>
let nodes: ChildProcess[]

/**
 * Lets each node check for a due backup.
 * @returns the log of each
 */
const lookAt = (offsetMs: number, looking = nodes): Promise<string[][]> =>
  Promise.all(
    looking.map(async (node) => {
      const answered = once(node, 'message')
      node.send({ offsetMs })
      return (await answered)[0] as string[]
    }),
  )
const runs = () => app.db.selectFrom('copiaSeguranca').selectAll().orderBy('idCopia').execute()

describe.runIf(process.env.TEST_DATABASE === 'postgres')(
  'three nodes on one database',
  {
    timeout: 180_000,
  },
  () => {
    beforeAll(async () => {
      app = await startTestApp()
    })
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'bi-manager-nodes-backup-'))
      nodes = []
      settings = {
        DATA_DIR: app.dataDir,
        DATABASE_URL: app.databaseUrl ?? '',
        MIN_FREE_MB: '0',
        BACKUP_TARGET: folder,
        BACKUP_VERIFY: 'false',
        BACKUP_TIME_ZONE: 'UTC',
        BACKUP_KEY: await identityToRecipient(await generateX25519Identity()),
        // Due half an hour ago, so that no other backup becomes due within a test.
        BACKUP_SCHEDULE: new Date(Date.now() - 30 * minute).toISOString().slice(11, 16),
      }
    })
    afterEach(async () => {
      for (const node of nodes.filter(
        ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
      )) {
        const ended = once(node, 'exit')
        if (node.connected) node.disconnect()
        else node.kill('SIGTERM')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
      await app.reset()
    })
    afterAll(() => app.close())

    const startNodes = async () => {
      nodes = [1, 2, 3].map(() => fork(program, { env: { ...shortLived.env, ...settings } }))
      await Promise.all(nodes.map((node) => once(node, 'message')))
    }

    test('three nodes on one database make one backup within a minute of their start, as whole portals', async () => {
      const portals = await Promise.all(
        [1, 2, 3].map(() => spawnServer(app.dataDir, { ...settings, LOG_LEVEL: 'info' })),
      )
      nodes = portals.map(({ child }) => child)
      expect(await Promise.all(portals.map(untilReady))).toEqual([true, true, true])
      const output = () => portals.flatMap((portal) => messagesOf(portal.output()))
      await expect.poll(output, { timeout: minute, interval: 250 }).toContain('a backup was made')
      expect(await runs()).toEqual([expect.objectContaining({ resultado: 'boa', tentativa: 1 })])
      expect(readdirSync(folder)).toHaveLength(1)
      expect(output().filter((line) => /backup/.test(line))).toEqual(['a backup was made'])
    })

    test('three nodes on one database make one backup per time of the schedule', async () => {
      await startNodes()
      for (const days of [0, 1, 2]) {
        const logged = await lookAt(days * day)
        expect(logged.flat(), `day ${days}`).toEqual(['a backup was made'])
        // A second check, after the backup was made.
        expect((await lookAt(days * day)).flat(), `day ${days}`).toEqual([])
      }
      const made = await runs()
      expect(made.map(({ resultado, tentativa }) => [resultado, tentativa])).toEqual(
        Array(3).fill(['boa', 1]),
      )
      expect(new Set(made.map(({ previstaEm }) => previstaEm?.getTime())).size).toBe(3)
      expect(readdirSync(folder)).toEqual(made.map(({ arquivo }) => arquivo).sort())
    })

    test('three nodes on one database take over from a node killed during a backup, and notify ADMINs once', async () => {
      // Verification keeps the copy unfinished for seconds.
      settings.BACKUP_VERIFY = 'true'
      await startNodes()
      const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
      const [first, ...others] = nodes
      first?.send({ offsetMs: 0 })
      while (!readdirSync(folder).some((name) => name.endsWith('.part'))) await sleep(5)
      const died = first && once(first, 'exit')
      first?.kill('SIGKILL')
      await died

      await letTimePass(app, 4 * minute)
      expect((await lookAt(4 * minute, others)).flat()).toEqual([])
      await letTimePass(app, 2 * minute)
      expect((await lookAt(6 * minute, others)).flat()).toEqual(['a backup was interrupted'])
      expect((await runs()).map(({ resultado }) => resultado)).toEqual(['interrompida'])
      expect((await lookAt(67 * minute, others)).flat()).toEqual(['a backup was made'])
      const [, second] = await runs()
      expect(second).toMatchObject({ resultado: 'boa', tentativa: 2 })
      expect(readdirSync(folder)).toEqual([second?.arquivo])
      const { body } = await admin.get('/notificacoes')
      expect((body as { tipo: string }[]).map(({ tipo }) => tipo)).toEqual(['copia_falhou'])
    })
  },
)
