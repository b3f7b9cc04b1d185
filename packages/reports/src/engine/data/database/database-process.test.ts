import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { residentBytes } from '@bi-manager/telemetry/process-memory'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseClosed, type Origin } from './database.ts'
import { createDatabaseProcess, type ProcessEnd, QueryRefused } from './database-process.ts'

const OPEN_AND_DIE = fileURLToPath(new URL('../../../../test/open-and-die.ts', import.meta.url))
const limits = { memoryMegabytes: 128, timeoutMs: 20_000 }
const slow = 'SELECT count(*)::DOUBLE FROM range(3000) a(x), range(20000) b(y) WHERE (x * y) % 7 < 7'

const originOf = (owner = 'reader', part = {}): Origin => ({ part, owner })

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'process-'))
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  })
})

const start = (more: object = {}) => {
  const ends: ProcessEnd[] = []
  const started = createDatabaseProcess({ memoryMegabytes: 128, onEnded: (end) => ends.push(end), ...more })
  onTestFinished(() => started.close())
  const kill = () => process.kill(started.pid() ?? expect.fail('no process'), 'SIGKILL')
  return { ...started, ends, kill }
}

const sealed = async ({ open }: ReturnType<typeof start>) => {
  const database = await open(limits)
  await database.createTable('T', "SELECT range::INTEGER AS n, 'São' AS t FROM range(3)")
  await database.seal(64)
  return database
}

test('rows, parameters and errors pass the process unchanged', async () => {
  const database = await sealed(start())
  expect(
    await database.query('SELECT n, t, n > 1, n / 0.0, 0 / 0, NULL FROM T ORDER BY n DESC LIMIT 1'),
  ).toEqual([[2, 'São', true, Number.POSITIVE_INFINITY, Number.NaN, null]])
  const values = { text: 'a', number: 0.5, whole: 3n, yes: true, nothing: null, list: ['x', 'y'] }
  expect(
    await database.query(
      'SELECT typeof($text), typeof($number), typeof($whole), typeof($yes), $nothing, len($list)',
      values,
    ),
  ).toEqual([['VARCHAR', 'DOUBLE', 'BIGINT', 'BOOLEAN', null, 2]])
  await expect(database.query('SELECT nada FROM T')).rejects.toThrow(/^Binder Error: .*"nada"/)
  await expect(database.query("SELECT * FROM read_text('/etc/passwd')")).rejects.toThrow(/^Permission Error/)
})

test('the database process keeps its files in a folder of its own that only its user reads, and removes them', async () => {
  const process = createDatabaseProcess({ memoryMegabytes: 128 })
  const database = await process.open(limits)
  await database.createTable('T', 'SELECT 1 AS n')
  const [name = ''] = await readdir(folder)
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o700)
  expect(await readdir(join(folder, name))).toHaveLength(1)
  await database.close()
  expect(await readdir(join(folder, name))).toEqual([])
  await process.close()
  expect(await readdir(folder)).toEqual([])
})

test('the database process removes its files when the service is killed, and what is left of an earlier one at its start', async () => {
  const service = fork(OPEN_AND_DIE, { execArgv: [], env: { ...process.env, TMPDIR: folder } })
  const [{ pid }] = (await once(service, 'message')) as [{ pid: number }]
  await once(service, 'exit')
  await expect.poll(() => readdir(folder), { timeout: 10_000 }).toEqual([])
  await expect.poll(() => isAlive(pid)).toBe(false)

  // Both were killed, as in a power failure.
  const both = fork(OPEN_AND_DIE, { execArgv: [], env: { ...process.env, TMPDIR: folder } })
  const [{ pid: child }] = (await once(both, 'message')) as [{ pid: number }]
  process.kill(child, 'SIGSTOP')
  await once(both, 'exit')
  process.kill(child, 'SIGKILL')
  await expect.poll(() => isAlive(child)).toBe(false)
  const before = await readdir(folder)
  // A container gives the new service the number of the earlier one.
  await mkdir(join(folder, `bi-manager-relatorios-${process.pid}-x`))
  const other = start()
  const second = start()
  expect(await readdir(folder)).toHaveLength(2)
  await Promise.all([other.close(), second.close()])
  expect(before.filter((name) => name.includes(`-${both.pid}-`)).length).toBeLessThanOrEqual(1)
  expect((await readdir(folder)).filter((name) => name.includes(`-${both.pid}-`))).toEqual([])
})

test('a new process has the sealed databases, and repeats the statements that ran', async () => {
  const started = start()
  const [one, other] = [await sealed(started), await sealed(started)]
  const running = [one.query(slow), other.query(slow)]
  await new Promise((resolve) => setTimeout(resolve, 100))
  started.kill()
  for (const answer of await Promise.all(running)) expect(answer).toEqual([[60_000_000]])
  expect(await other.query('SELECT sum(n)::DOUBLE FROM T')).toEqual([[3]])
  await expect(one.query("SELECT * FROM read_text('/etc/passwd')")).rejects.toThrow(/^Permission Error/)
  await expect(one.query('CREATE TABLE x AS SELECT 1')).rejects.toThrow(/read-only/)
  expect(started.ends).toEqual([{ reason: 'crash', signal: 'SIGKILL' }])
})

test('a database that was being loaded is lost with its process, and others are not', async () => {
  const started = start()
  const [good, loading] = [await sealed(started), await started.open(limits)]
  const idle = await started.open(limits)
  const created = loading.createTable('T', `SELECT * FROM (${slow})`)
  await new Promise((resolve) => setTimeout(resolve, 100))
  started.kill()
  await expect(created).rejects.toThrow(/^Process Error/)
  await expect(loading.query('SELECT 1')).rejects.toThrow(/^Process Error/)
  await expect(idle.load('SELECT 1')).rejects.toThrow(/^Process Error/)
  expect([loading.isLost(), idle.isLost(), good.isLost()]).toEqual([true, true, false])
  expect(await good.query('SELECT 1')).toEqual([[1]])
  await loading.close()
  await good.close()
  await expect(good.query('SELECT 1')).rejects.toThrow(DatabaseClosed)
})

test('an origin is refused after two ends, and one that ran beside it is not', async () => {
  const started = start({ memoryMegabytes: 64 })
  const database = await sealed(started)
  const [bomb, innocent] = [originOf(), originOf()]
  const ask = (origin: Origin, sql: string) =>
    database.query(sql, {}, AbortSignal.timeout(60_000), origin).then(
      (rows) => rows[0]?.[0],
      (error: Error) => error,
    )
  const mode = 'SELECT mode(range)::DOUBLE FROM range(1000000000)'
  // Three readers of one visual run at the same time, and another one asks at that moment.
  const readers = [ask(innocent, slow), ask(innocent, slow), ask(innocent, slow)]
  const killing = ask(bomb, mode)
  await expect.poll(() => started.ends.length, { timeout: 20_000, interval: 5 }).toBe(1)
  readers.push(ask(innocent, slow))
  expect(await Promise.all(readers)).toEqual(readers.map(() => 60_000_000))
  expect(String(await killing)).toMatch(/^Error: Out of Memory/)
  expect(started.ends.map(({ reason }) => reason)).toEqual(['memory', 'memory'])
  expect(await ask(bomb, 'SELECT 1')).toBeInstanceOf(QueryRefused)
  for (let end = 0; end < 3; end++) {
    const running = ask(innocent, slow)
    await new Promise((resolve) => setTimeout(resolve, 100))
    started.kill()
    expect(await running).toBe(60_000_000)
  }
}, 120_000)

test('a statement that ignores its interrupt ends the process, and others are repeated', async () => {
  const started = start({ graceMs: 300 })
  const database = await sealed(started)
  const deaf = `SELECT count(*) FROM (SELECT string_agg('a', '') AS s FROM range(200000)) WHERE s LIKE '%_a%_a%_a%_a%b'`
  const [limit, origin] = [AbortSignal.timeout(500), originOf()]
  const [refused, answered] = await Promise.all([
    database.query(deaf, {}, limit, origin).catch((error) => error),
    database.query(slow),
  ])
  expect(refused).toBe(limit.reason)
  expect(answered).toEqual([[60_000_000]])
  expect(started.ends).toEqual([{ reason: 'time', signal: 'SIGKILL' }])
  const again = database.query(deaf, {}, AbortSignal.timeout(500), origin)
  await expect(again).rejects.toThrow(/timeout/)
  await expect(database.query('SELECT 1', {}, AbortSignal.timeout(500), origin)).rejects.toThrow(QueryRefused)
}, 60_000)

test('one reader takes a part only from themselves, two readers from everybody', async () => {
  const started = start({ memoryMegabytes: 64 })
  const database = await sealed(started)
  const part = {}
  const ask = (owner: string, sql = 'SELECT 1::DOUBLE') =>
    database.query(sql, {}, AbortSignal.timeout(60_000), { part, owner }).then(
      ([row]) => row?.[0],
      (error: Error) => error,
    )
  const mode = 'SELECT mode(range)::DOUBLE FROM range(1000000000)'
  expect(String(await ask('one', mode))).toMatch(/^Error: Out of Memory/)
  expect(await ask('one')).toBeInstanceOf(QueryRefused)
  expect(await ask('other')).toBe(1)
  expect(String(await ask('other', mode))).toMatch(/^Error: Out of Memory/)
  expect(await ask('third')).toBeInstanceOf(QueryRefused)
  expect(await database.query('SELECT 2', {}, undefined, originOf('third'))).toEqual([[2]])
}, 60_000)

/** A process that nothing waits for stays in the list of processes, without memory. */
const isAlive = (pid: number) => residentBytes(pid) !== undefined
