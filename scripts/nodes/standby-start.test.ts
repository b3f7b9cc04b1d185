import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { messagesOf, spawnServer, untilReady } from '../../packages/server/test/processes/killed-server.ts'
import { runCommandProcess } from '../../packages/server/test/processes/run-command.ts'
import { findPostgres } from '../machines/find-tools.ts'
import { queryOnce, startOwnPostgres } from '../machines/postgres.ts'

const REFUSAL =
  'O servidor do banco de dados é uma réplica, que só aceita leitura: informe o servidor primário, ou promova este.'

describe.skipIf(!findPostgres())('a PostgreSQL that is a standby (skipped without PostgreSQL)', () => {
  test('a standby stops the start with one sentence, is verified, and serves after its promotion', {
    timeout: 180_000,
  }, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'bi-manager-standby-'))
    const database = await startOwnPostgres()
    onTestFinished(async () => {
      await database.stop()
      rmSync(dataDir, { recursive: true, force: true })
    })
    const settings = { DATABASE_URL: database.url }
    const serve = async () => {
      const server = await spawnServer(dataDir, settings)
      onTestFinished(() => void server.child.kill('SIGKILL'))
      expect(await untilReady(server), server.output()).toBe(true)
      const ended = once(server.child, 'exit')
      server.child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    }
    await serve()

    const [folder] = await queryOnce<{ data: string }>(
      database.url,
      "select current_setting('data_directory') as data",
    )
    await queryOnce(database.url, `copy (select) to '${folder?.data}/standby.signal'`)
    await database.restart('fast')
    const place = `(DATABASE_URL: ${new URL(database.url).host}/postgres)`
    const refused = await spawnServer(dataDir, settings)
    onTestFinished(() => void refused.child.kill('SIGKILL'))
    expect([await once(refused.child, 'exit'), messagesOf(refused.output())]).toEqual([
      [78, null],
      [`${REFUSAL} ${place}`],
    ])
    const command = (name: string, ...args: string[]) =>
      runCommandProcess(name, args, { ...settings, DATA_DIR: dataDir })
    // It only reads.
    expect(await command('audit-verify')).toEqual({
      code: 0,
      output: expect.stringContaining('está íntegra'),
    })
    expect(await command('backup', join(dataDir, 'copia'))).toEqual({
      code: 1,
      output: `${REFUSAL} ${place}\n`,
    })

    await queryOnce(database.url, 'select pg_promote()')
    await serve()
  })
})
