import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { findPostgres } from './find-tools.ts'
import { startOwnPostgres, startPostgres } from './postgres.ts'

// Without the binaries, TEST_DATABASE_URL was set; these tests are then reported as skipped.
describe.skipIf(!findPostgres())('startPostgres', () => {
  test('startPostgres starts an empty UTF-8 cluster, and removes it on stop', async () => {
    const server = await startPostgres('')
    const [row] = await ask(
      server.url,
      `select datcollate, pg_encoding_to_char(encoding) as encoding, current_setting('timezone') as zone
       from pg_database where datname = 'postgres'`,
    )
    expect(row).toEqual({ datcollate: 'C', encoding: 'UTF8', zone: 'UTC' })
    expect(Number.parseInt(server.version, 10)).toBeGreaterThanOrEqual(15)
    const [setting] = await ask(server.url, 'show data_directory')
    await server.stop()
    expect(existsSync(dirname(String(setting?.data_directory)))).toBe(false)
    await expect(ask(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })

  test('startPostgres uses a given server and leaves it running', async () => {
    const server = await startPostgres('')
    const given = await startPostgres(server.url)
    expect(given.url).toBe(server.url)
    await given.stop()
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
  })

  test.each(['fast', 'immediate'] as const)('the server restarts in %s mode with its data', async (mode) => {
    const server = await startOwnPostgres({ isDurable: true })
    await ask(server.url, 'create table kept (one int); insert into kept values (1)')
    await server.restart(mode)
    expect(await ask(server.url, 'select one from kept')).toEqual([{ one: 1 }])
    await server.stop()
    await expect(ask(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })

  test('startPostgres ends the server when its process is killed with -9', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'postgres.ts')], {
      env: { ...process.env, TEST_DATABASE_URL: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(child.stdout, 'data')
    const url = String(line).match(/postgres:\S+/)?.[0] ?? ''
    const [setting] = await ask(url, 'show data_directory')
    child.kill('SIGKILL')
    const folder = dirname(String(setting?.data_directory))
    expect(existsSync(folder)).toBe(true)
    await expect.poll(() => existsSync(folder), { timeout: 10_000 }).toBe(false)
    await expect(ask(url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })
})

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
