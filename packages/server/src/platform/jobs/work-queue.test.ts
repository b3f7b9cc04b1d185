import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'
import { setTestRestore } from '../installation/test-environment.ts'
import {
  claimDue,
  hasDue,
  holdClaim,
  isSpent,
  PAUSES,
  pauseAfter,
  renewClaim,
  settle,
  type Work,
  type WorkTable,
  workOff,
} from './work-queue.ts'

const app = useTestApp()
const past = () => new Date(Date.now() - 60_000)

/** E-mails: the lease is in the column that says when the row is due. */
const mails: WorkTable<'mensagem'> = {
  table: 'mensagem',
  id: 'idMensagem',
  due: 'proximaEm',
  lease: 'proximaEm',
  attempts: 'tentativas',
}
/** Schedules of data: the lease has a column of its own. */
const schedules: WorkTable<'agendaDados'> = {
  table: 'agendaDados',
  id: 'idAgenda',
  due: 'proximaEm',
  lease: 'ocupadaAte',
  attempts: 'tentativas',
  isOpen: sql<boolean>`ativa`,
}

const addMail = () =>
  app.db
    .insertInto('mensagem')
    .values({ conteudo: app.services.secrets.encrypt('{}'), criadaEm: past(), proximaEm: past() })
    .execute()
const addSchedule = () =>
  app.db
    .insertInto('agendaDados')
    .values({
      reportId: crypto.randomUUID(),
      tabela: 'Custos',
      origem: 'URL',
      endereco: app.services.secrets.encrypt('https://example.com'),
      frequencia: 'DIA',
      horario: '08:00',
      ativa: true,
      proximaEm: past(),
    })
    .execute()

/** Both kinds of tables, each with a row that is due. The tests use columns that both have. */
const kinds = [
  {
    kind: 'with a lease in the column of the due time',
    queue: mails as unknown as WorkTable<'agendaDados'>,
    add: addMail,
  },
  { kind: 'with a lease of its own', queue: schedules, add: addSchedule },
]

const claim = (queue: WorkTable<'agendaDados'>, leaseMs = 60_000) =>
  claimDue(app.db, queue, { leaseMs, limit: 5 })
const claimOne = async (queue: WorkTable<'agendaDados'>, leaseMs?: number) => {
  const [row, ...others] = await claim(queue, leaseMs)
  expect(others).toEqual([])
  return row ?? expect.fail('no row was claimed')
}
/** Ends the lease, as time would. */
const endLease = ({ table, lease }: WorkTable<'agendaDados'>) =>
  sql`update ${sql.table(table)} set ${sql.ref(lease)} = now() - interval '1 second'`.execute(app.db)

test.each(kinds)(
  'a claimed row $kind belongs to one process until its lease ends',
  async ({ queue, add }) => {
    await add()
    const first = await claimOne(queue)
    expect(await claim(queue)).toEqual([])
    await endLease(queue)
    const second = await claimOne(queue)
    expect([first.tentativas, second.tentativas]).toEqual([1, 2])
  },
)

test.each(kinds)(
  'a claim of a row $kind that another process took stores nothing',
  async ({ queue, add }) => {
    await add()
    const late = await claimOne(queue)
    await endLease(queue)
    const current = await claimOne(queue)
    expect(await holdClaim(app.db, queue, late)).toBeUndefined()
    expect(await settle(app.db, queue, late, { afterMs: 0 })).toBe(false)
    expect(await claim(queue)).toEqual([])
    expect(await holdClaim(app.db, queue, current)).toBeInstanceOf(Date)
    expect(await settle(app.db, queue, current, { afterMs: 0 })).toBe(true)
  },
)

test.each(kinds)(
  'an attempt at a row $kind counts when it failed or was interrupted',
  async ({ queue, add }) => {
    await add()
    const numbers = []
    for (const isCounted of [false, true, false]) {
      const row = await claimOne(queue)
      numbers.push(row.tentativas)
      await settle(app.db, queue, row, { afterMs: 0, isCounted })
    }
    expect(numbers).toEqual([1, 1, 2])
  },
)

test.each(kinds)(
  'a row $kind that is put off is due by the clock of the database',
  async ({ queue, add }) => {
    await add()
    await settle(app.db, queue, await claimOne(queue), { afterMs: 3_600_000 })
    expect(await claim(queue)).toEqual([])
    await sql`update ${sql.table(queue.table)} set proxima_em = proxima_em - interval '1 hour'`.execute(
      app.db,
    )
    await claimOne(queue)
  },
)

test.each(kinds)('a restored copy claims no row $kind', async ({ queue, add }) => {
  await add()
  const copied = new Date().toISOString()
  await setTestRestore(app.db, { restauradaEm: copied, copiaDe: copied, bucket: null })
  expect(await claim(queue)).toEqual([])
  await setTestRestore(app.db, null)
  await claimOne(queue)
})

test.each(kinds)(
  'a claim of a row $kind is renewed while it is held, and not after its lease',
  async ({ queue, add }) => {
    await add()
    const row = await claimOne(queue)
    const renewed = await renewClaim(app.db, queue, row, 3_600_000)
    const [before, after] = [row, renewed].map((one) => one?.[queue.lease as 'ocupadaAte']?.getTime() ?? 0)
    expect((after ?? 0) - (before ?? 0)).toBeGreaterThan(3_000_000)
    expect(await renewClaim(app.db, queue, row, 60_000)).toBeUndefined()
    await settle(app.db, queue, renewed ?? expect.fail(), { afterMs: 0 })
    const short = await claimOne(queue, 20)
    await sleep(40)
    expect(await renewClaim(app.db, queue, short, 60_000)).toBeUndefined()
  },
)

test('pauses follow each other until the work is given up', () => {
  const pauses = [1, 2, 3, 4, 5, 6].map((attempts) => pauseAfter(attempts))
  expect(pauses).toEqual([...PAUSES, undefined])
  expect([pauseAfter(1, PAUSES, 7), pauseAfter(6, PAUSES, 7)]).toEqual([7_000, undefined])
  expect([isSpent(6), isSpent(7)]).toEqual([false, true])
})

/** Work on numbers, which counts what is in progress at once. */
const counted = (items: number[], places: number, attempt: (item: number) => Promise<unknown>) => {
  const seen = { now: 0, most: 0, ended: [] as number[], asked: [] as number[] }
  const work: Work<number> = {
    name: 'work of a test',
    everyMs: 5,
    places,
    claim: async (limit) => {
      seen.asked.push(limit)
      return items.splice(0, limit)
    },
    attempt: async (item) => {
      seen.now += 1
      seen.most = Math.max(seen.most, seen.now)
      await attempt(item).finally(() => {
        seen.now -= 1
      })
      seen.ended.push(item)
    },
  }
  return { seen, work }
}

test('work refills each place as soon as it is free, while a slow item goes on', async () => {
  const slow = Promise.withResolvers<void>()
  const { seen, work } = counted([0, 1, 2, 3, 4, 5, 6], 2, async (item) => {
    if (item === 0) await slow.promise
    if (item === 6) slow.resolve()
  })
  await workOff(work, { error: expect.fail })
  expect(seen.ended).toEqual([1, 2, 3, 4, 5, 6, 0])
  expect([seen.most, Math.max(...seen.asked)]).toEqual([2, 2])
})

test('work logs an item that fails, and does the others', async () => {
  const logged: unknown[] = []
  const { seen, work } = counted([0, 1, 2], 2, async (item) => {
    if (item === 1) throw new Error('broken')
  })
  await workOff(work, { error: (...line: unknown[]) => logged.push(line) } as never)
  expect(seen.ended.toSorted()).toEqual([0, 2])
  expect(logged).toEqual([[{ err: new Error('broken') }, 'the work of a test failed']])
})

test('work that is stopped claims nothing more, and waits for what is in progress', async () => {
  const stopping = new AbortController()
  const { seen, work } = counted([0, 1, 2, 3], 1, async () => {
    stopping.abort()
    await sleep(10)
  })
  await workOff(work, { error: expect.fail }, stopping.signal)
  expect([seen.ended, seen.now]).toEqual([[0], 0])
})

test('work queues what becomes due while a slow item is in progress, and ends with what comes last', async () => {
  const steps: string[] = []
  const slow = Promise.withResolvers<void>()
  const items = [0]
  const { work } = counted(items, 2, async (item) => {
    steps.push(`item ${item}`)
    if (item === 0) await slow.promise
    else slow.resolve()
  })
  const before = async () => {
    steps.push('before')
    if (steps.length > 1 && !steps.includes('item 1')) items.push(1)
  }
  const after = async () => void steps.push('after')
  await workOff({ ...work, before, after }, { error: expect.fail })
  expect(steps.slice(0, 2)).toEqual(['before', 'item 0'])
  expect(steps.filter((step) => step !== 'before')).toEqual(['item 0', 'item 1', 'after'])
})

test('work whose claim fails waits for what is in progress, and rejects', async () => {
  let hasEnded = false
  const { work } = counted([0], 2, async () => {
    await sleep(20)
    hasEnded = true
  })
  let claims = 0
  const claim = async (limit: number) => {
    claims += 1
    if (claims > 1) throw new Error('no database')
    return work.claim(limit)
  }
  await expect(workOff({ ...work, claim }, { error: expect.fail })).rejects.toThrow('no database')
  expect(hasEnded).toBe(true)
})

test('a queue leaves rows alone that wait for nothing any more', async () => {
  await addSchedule()
  expect(await hasDue(app.db, schedules)).toBe(true)
  const row = await claimOne(schedules)
  expect(await hasDue(app.db, schedules)).toBe(false)
  await app.db.updateTable('agendaDados').set({ ativa: false }).execute()
  expect(await holdClaim(app.db, schedules, row)).toBeUndefined()
  expect(await settle(app.db, schedules, row, { afterMs: 0 })).toBe(false)
  await endLease(schedules)
  expect([await hasDue(app.db, schedules), await claim(schedules)]).toEqual([false, []])
})

test('a claim takes only the rows that it asks for, in its order, and changes its columns', async () => {
  for (let n = 0; n < 3; n += 1) await addSchedule()
  const claimed = await claimDue(app.db, schedules, {
    leaseMs: 60_000,
    limit: 1,
    only: sql<boolean>`id_agenda > (select min(id_agenda) from agenda_dados)`,
    order: sql`id_agenda desc`,
    set: { tabela: 'Receitas' },
  })
  const ids = await app.db.selectFrom('agendaDados').select('idAgenda').orderBy('idAgenda').execute()
  expect(claimed).toMatchObject([{ idAgenda: ids[2]?.idAgenda, tabela: 'Receitas' }])
})
