import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shortLived } from '../../test/killed-server.ts'
import { startTestApp, type TestApp } from '../../test/test-app.ts'
import { createUser } from '../../test/users.ts'

/* Three processes on one PostgreSQL database and one data folder, as in the manual's 'Vários nós'. */

const minute = 60_000
const day = 24 * 60 * minute
const program = join(import.meta.dirname, '../../test/backup-node.ts')

let app: TestApp
let folder: string
let nodes: ChildProcess[]

/** Each node looks whether a backup is due. @returns what each of them logged */
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
      const recipient = await identityToRecipient(await generateX25519Identity())
      nodes = [1, 2, 3].map(() =>
        fork(program, {
          env: {
            ...shortLived.env,
            ...{ DATA_DIR: app.dataDir, DATABASE_URL: app.databaseUrl ?? '', MIN_FREE_MB: '0' },
            ...{ BACKUP_TARGET: folder, BACKUP_KEY: recipient, BACKUP_VERIFY: 'false' },
            // Due half an hour ago, so that no other backup becomes due within a test.
            BACKUP_SCHEDULE: new Date(Date.now() - 30 * minute).toISOString().slice(11, 16),
            BACKUP_TIME_ZONE: 'UTC',
          },
        }),
      )
      await Promise.all(nodes.map((node) => once(node, 'message')))
    })
    afterEach(async () => {
      for (const node of nodes.filter(
        ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
      )) {
        const ended = once(node, 'exit')
        node.disconnect()
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
      await app.reset()
    })
    afterAll(() => app.close())

    test('make one backup for each time of the schedule', async () => {
      for (const days of [0, 1, 2]) {
        const logged = await lookAt(days * day)
        expect(logged.flat(), `day ${days}`).toEqual(['a backup was made'])
        // Once more, when the first one is made.
        expect((await lookAt(days * day)).flat(), `day ${days}`).toEqual([])
      }
      const made = await runs()
      expect(made.map(({ resultado, tentativa }) => [resultado, tentativa])).toEqual(
        Array(3).fill(['boa', 1]),
      )
      expect(new Set(made.map(({ previstaEm }) => previstaEm?.getTime())).size).toBe(3)
      expect(readdirSync(folder)).toEqual(made.map(({ arquivo }) => arquivo).sort())
    })

    test('take over from one that was killed during a backup, and tell ADMINs once', async () => {
      const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
      const [first, ...others] = nodes
      first?.send({ offsetMs: 0 })
      while (!readdirSync(folder).some((name) => name.endsWith('.part'))) await sleep(5)
      const died = first && once(first, 'exit')
      first?.kill('SIGKILL')
      await died

      expect((await lookAt(4 * minute, others)).flat()).toEqual([])
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
