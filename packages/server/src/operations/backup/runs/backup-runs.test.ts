import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/database/test-database.ts'
import { beginRun, dropOldRuns, endDeadRuns, endRun, lastBackup, touchRun } from './backup-runs.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => database.reset())
afterAll(() => database.close())

const due = new Date('2026-11-21T06:00:00Z')
const after = (minutes: number) => new Date(due.getTime() + minutes * 60_000)
const good = { arquivo: 'a.tar.age', bytes: 2 ** 33, sha256: 'a'.repeat(64), verificada: true, aviso: null }
const begin = (now = after(0), at: Date | null = due) =>
  beginRun(database.db, { due: at, place: '/copias', now })
const idOf = (run: Awaited<ReturnType<typeof begin>>) => {
  if (!run || run === 'inProgress') throw new Error(`no run: ${run}`)
  return run.id
}
const fail = async (minutes: number) =>
  endRun(
    database.db,
    idOf(await begin(after(minutes))),
    { resultado: 'falhou', erro: 'sem espaço' },
    after(minutes),
  )

describe('beginRun', () => {
  test('beginRun gives a due backup to one of several processes', async () => {
    const runs = await Promise.all(Array.from({ length: 8 }, () => begin()))
    expect(runs.filter((run) => run === 'inProgress')).toHaveLength(7)
    expect(runs.filter((run) => typeof run === 'object')).toHaveLength(1)
  })

  test('beginRun returns undefined once the backup is made', async () => {
    await endRun(database.db, idOf(await begin()), good, after(1))
    expect(await begin(after(2))).toBeUndefined()
    expect(await begin(after(600))).toBeUndefined()
    expect(await begin(after(1440), after(1440))).toEqual({ id: expect.any(Number) })
  })

  test('beginRun retries an hour after a failure, at most three times', async () => {
    await fail(0)
    expect(await begin(after(59))).toBeUndefined()
    await fail(60)
    await fail(120)
    expect(await begin(after(600))).toBeUndefined()
  })

  test('beginRun lets the command run at any time, but not twice at once', async () => {
    const id = idOf(await begin(after(0), null))
    expect(await begin(after(1), null)).toBe('inProgress')
    await endRun(database.db, id, good, after(1))
    idOf(await begin(after(2), null))
  })
})

describe('endDeadRuns', () => {
  test('endDeadRuns ends only a run whose process has died', async () => {
    const id = idOf(await begin())
    const letMinutesPass = (minutes: number) =>
      sql`update copia_seguranca set ativa_em = ativa_em - make_interval(mins => ${minutes})`.execute(
        database.db,
      )
    await letMinutesPass(4)
    await touchRun(database.db, id)
    await letMinutesPass(4)
    expect(await endDeadRuns(database.db, after(8))).toEqual([])
    await letMinutesPass(2)
    expect(await endDeadRuns(database.db, after(10))).toEqual([id])
    const { last, running } = await lastBackup(database.db)
    expect(last).toMatchObject({
      idCopia: id,
      resultado: 'interrompida',
      erro: expect.stringMatching(/antes de a cópia terminar/),
    })
    expect(running).toBeUndefined()
    expect(await begin(after(60))).toBeUndefined()
    idOf(await begin(after(71)))
  })

  // The kind: a lease that the clock of a node decides. Here the node is an hour ahead.
  test('endDeadRuns leaves the run of another node to a node whose clock is ahead', async () => {
    const started = new Date()
    idOf(await begin(started, null))
    expect(await endDeadRuns(database.db, new Date(started.getTime() + 60 * 60_000))).toEqual([])
  })
})

describe('lastBackup', () => {
  test('lastBackup distinguishes the last good run from the last run', async () => {
    expect(await lastBackup(database.db)).toEqual({ good: undefined, last: undefined, running: undefined })
    const first = idOf(await begin())
    expect((await lastBackup(database.db)).running?.idCopia).toBe(first)
    await endRun(database.db, first, good, after(1))
    await endRun(database.db, idOf(await begin(after(2), null)), { resultado: 'falhou', erro: 'x' }, after(3))
    const { good: newest, last } = await lastBackup(database.db)
    expect(newest).toMatchObject({ idCopia: first, ...good, terminadaEm: after(1), destino: '/copias' })
    expect(last).toMatchObject({ resultado: 'falhou', erro: 'x' })
  })
})

describe('dropOldRuns', () => {
  test('dropOldRuns deletes runs older than 400 days, except the last good one', async () => {
    for (const minute of [0, 10])
      await endRun(database.db, idOf(await begin(after(minute), null)), good, after(minute))
    await endRun(
      database.db,
      idOf(await begin(after(20), null)),
      { resultado: 'falhou', erro: 'x' },
      after(20),
    )
    await dropOldRuns(database.db, after(399 * 1440))
    const count = async () =>
      (await database.db.selectFrom('copiaSeguranca').select('terminadaEm').execute()).length
    expect(await count()).toBe(3)
    await dropOldRuns(database.db, after(401 * 1440))
    expect(await count()).toBe(1)
    expect((await lastBackup(database.db)).good?.terminadaEm).toEqual(after(10))
  })
})
