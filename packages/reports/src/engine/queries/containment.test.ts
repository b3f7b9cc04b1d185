import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { claimsReport, REPORT, type Service, serviceWith, visual, writeFiles } from '../../../test/fixture.ts'
import { watchResident } from '../../../test/process-figures.ts'
import type { PageData } from '../../wire/embed-contract.ts'
import { processMegabytes } from '../data/database/database-process.ts'

/*
 * SQL that the allow-list accepts and that would take more memory or time than there is. Each runs
 * in the service; none may end it, or cost other readers more than a moment.
 */

const MEMORY = {
  code: 'QueryFailed',
  message: 'A consulta deste visual precisa de mais memória do que o serviço lhe dá.',
}
const TIME = { code: 'QueryTimeout', message: 'A consulta demorou demais.' }
const REFUSED = {
  code: 'QueryFailed',
  message:
    'Esta consulta foi suspensa, porque parou o banco de dados duas vezes. Ela volta quando o relatório ou os seus dados forem publicados de novo.',
}

/** DuckDB's own limit stops these. */
const counted = {
  cross: 'SELECT count(*) AS n FROM (SELECT DISTINCT a.range, b.range FROM range(100000) a, range(100000) b)',
  text: "SELECT length(string_agg(operadora, ',')) AS n FROM Claims, range(1000000000)",
  list: 'SELECT length(list(range)) AS n FROM range(1000000000)',
  doubling:
    "WITH RECURSIVE r AS (SELECT 'aaaaaaaa' AS s UNION ALL SELECT s || s FROM r) SELECT max(length(s)) AS n FROM r",
}
/** DuckDB does not count the memory of these: the process is killed. */
const uncounted = {
  histogram: 'SELECT cardinality(histogram(range)) AS n FROM range(1000000000)',
  mode: 'SELECT mode(range) AS n FROM range(1000000000)',
  quantile: 'SELECT quantile_cont(range, 0.5) AS n FROM range(1000000000)',
  series: 'SELECT sum(list_sum(range(2000000000 + id))) AS n FROM Claims',
  replaced: `SELECT max(length(${'replace('.repeat(9)}operadora${", 'A', 'AAAAAAAAAAAAAAAAAAAA')".repeat(9)})) AS n FROM Claims`,
  padded: "SELECT max(length(lpad(operadora, 2000000000 - id::INTEGER, 'x'))) AS n FROM Claims",
}
/** DuckDB's interrupt stops these. */
const endless = {
  recursion: 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) AS n FROM r',
  numbers: 'SELECT count(*) AS n FROM generate_series(1, 9000000000000000000)',
  join: 'SELECT count(*) AS n FROM range(100000) a, range(1000000) b WHERE a.range * b.range % 7 = 3',
}
/** One call of a function, which no interrupt stops: the process is killed. */
const deaf = {
  pattern: `SELECT count(*) AS n FROM (SELECT string_agg('a', '') AS s FROM range(200000)) WHERE s LIKE '%_a%_a%_a%_a%b'`,
}

const good = visual('good', 'SELECT id FROM Claims ORDER BY id')
const filesOf = (queries: Record<string, string>) => {
  const visuals = Object.entries(queries).map(([name, query]) => visual(name, query))
  const pages = [
    { name: 'Bombs', displayName: 'B', visuals: [...visuals, good] },
    { name: 'Good', displayName: 'G', visuals: [good] },
    claimsReport.pages[0],
  ]
  return { 'workspaces/one/claims.json': { ...claimsReport, pages } }
}

const serviceOver = async (queries: Record<string, string>, queryTimeoutMs = 60_000, memory = '128') => {
  const service = await serviceWith({
    files: filesOf(queries),
    env: { REPORTS_MEMORY_MB: memory },
    options: { queryTimeoutMs },
  })
  expect((await service.loaded).warnings).toEqual([])
  const token = await service.embedToken(['todos'])
  const ask = async (visuals: string[], filters: object[] = []): Promise<PageData> => {
    const body = { page: 'Bombs', filters, visuals }
    const answer = await service.embed(token, 'POST', `/reports/${REPORT}/data`, body)
    if (visuals.length > 1) expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }
  return { service, token, ask }
}

const pidOf = ({ databaseProcess }: Service) => databaseProcess.pid() ?? expect.fail('no database process')
const above = (value: number) => [
  {
    target: { table: 'Claims', column: 'valor' },
    logicalOperator: 'And',
    conditions: [{ operator: 'GreaterThan', value }],
  },
]

test.each([
  ['memory', counted, 60_000, MEMORY, 0],
  ['memory that the database does not count', uncounted, 60_000, MEMORY, 2],
  ['time', endless, 2000, TIME, 0],
  ['time, without obeying an interrupt', deaf, 4000, TIME, 1],
])(
  'a query that exceeds its %s fails, and the other visual of its request is answered',
  async (_name, bombs, queryTimeoutMs, failure, kills) => {
    const { service, token, ask } = await serviceOver(bombs, queryTimeoutMs)
    const peak = watchResident(() => service.databaseProcess.pid())
    for (const name of Object.keys(bombs)) {
      const before = service.ends.length
      const found = await ask([name, 'good'])
      expect([name, found.visuals.good?.rows.length, found.failures]).toEqual([name, 5, { [name]: failure }])
      // The slot is free again.
      await expect.poll(() => service.measured.queries().held, { timeout: 20_000 }).toBe(0)
      expect([name, service.ends.length - before]).toEqual([name, kills])
    }
    const { child, service: own } = peak.end()
    // What a process takes between two looks at it.
    expect(child).toBeLessThan(processMegabytes(128) + 200)
    expect(own).toBeLessThan(300)
    expect(await service.ids(token)).toEqual([1, 2, 3, 4, 5])
  },
  180_000,
)

test('a hundred readers are answered while a query ends the process', async () => {
  const { service, ask } = await serviceOver({ bomb: uncounted.mode })
  const tokens = await Promise.all(
    Array.from({ length: 100 }, (_, reader) =>
      service.embedToken(['todos'], { username: `reader${reader}@x.br` }),
    ),
  )
  const bomb = ask(['bomb'])
  const answers: unknown[] = []
  // Different filters, so that no answer comes from the cache.
  const readers = tokens.map(async (token, reader) => {
    for (let round = 0; round < 5; round++) {
      answers.push(await service.ids(token, above(-1 - reader - round / 10)))
      await sleep(50)
    }
  })
  await Promise.all(readers)
  expect((await bomb).failures).toEqual({ bomb: MEMORY })
  expect(service.ends.map(({ reason }) => reason)).toEqual(['memory', 'memory'])
  expect(answers).toHaveLength(500)
  expect(new Set(answers.map(String))).toEqual(new Set(['1,2,3,4,5']))
}, 120_000)

test('a query that ended the process twice is refused until its report or its data are published again', async () => {
  const { service, ask } = await serviceOver({ bomb: uncounted.mode, innocent: 'SELECT 1 AS n FROM Claims' })
  expect((await ask(['bomb', 'good'])).failures).toEqual({ bomb: MEMORY })
  expect(service.ends).toHaveLength(2)
  // Under other filters too, and without another end.
  for (const value of [1, 2]) {
    expect((await ask(['bomb', 'good', 'innocent'], above(value))).failures).toEqual({ bomb: REFUSED })
  }
  expect(service.ends).toHaveLength(2)

  const mended = filesOf({ bomb: 'SELECT 7 AS n FROM Claims', innocent: 'SELECT 1 AS n FROM Claims' })
  await writeFiles(service.dataDir, mended)
  await service.versions.refresh()
  expect((await ask(['bomb', 'good'])).failures).toEqual({})

  await writeFiles(service.dataDir, filesOf({ bomb: uncounted.mode }))
  await service.versions.refresh()
  expect((await ask(['bomb', 'good'])).failures).toEqual({ bomb: MEMORY })
  expect((await ask(['bomb', 'good'], above(3))).failures).toEqual({ bomb: REFUSED })
  await writeFiles(service.dataDir, {
    'datasets/claims/claims.csv': 'id,operadora,sexo,valor,dia,pago,hora\n1,CNU,,5,,true,\n',
  })
  await service.versions.refresh()
  expect((await ask(['bomb', 'good'], above(4))).failures).toEqual({ bomb: MEMORY })
}, 120_000)

test('a query that ran beside one that ended the process is answered, and never refused', async () => {
  const slow = 'SELECT count(*) AS n FROM Claims, range(3000) a(x), range(20000) b(y) WHERE (x * y) % 7 < 7'
  const { service, ask } = await serviceOver({ bomb: uncounted.mode, slow })
  for (const value of [-1, -2, -3]) {
    // The bomb is refused after the first round; the process is then ended from outside.
    const found = ask(['bomb', 'slow'], above(value))
    if (value < -1) {
      await expect.poll(() => service.measured.queries().held).toBeGreaterThan(0)
      process.kill(pidOf(service), 'SIGKILL')
    }
    const { visuals, failures } = await found
    expect(visuals.slow?.rows).toEqual([[300_000_000]])
    expect(failures).toEqual({ bomb: value < -1 ? REFUSED : MEMORY })
  }
}, 120_000)

test('a killed process is replaced within two seconds, and a running query does not notice', async () => {
  const slow = 'SELECT count(*) AS n FROM Claims, range(3000) a(x), range(20000) b(y) WHERE (x * y) % 7 < 7'
  const { service, token, ask } = await serviceOver({ slow })
  const [first, running] = [pidOf(service), ask(['slow'])]
  await expect.poll(() => service.measured.queries().held).toBe(1)
  const killed = performance.now()
  process.kill(first, 'SIGKILL')
  expect(await service.ids(token, above(0))).toEqual([1, 2, 3, 4, 5])
  expect((await running).visuals.slow?.rows).toEqual([[300_000_000]])
  expect(performance.now() - killed).toBeLessThan(10_000)
  expect(service.ends).toEqual([{ reason: 'crash', signal: 'SIGKILL' }])
  const again = performance.now()
  process.kill(pidOf(service), 'SIGKILL')
  expect(await service.ids(token, above(1))).toEqual([1, 2, 3, 4, 5])
  expect(performance.now() - again).toBeLessThan(2000)
}, 60_000)

test('a new process serves the version that was loaded, whatever became of its files', async () => {
  const { service, token } = await serviceOver({})
  await writeFiles(service.dataDir, { 'datasets/claims/claims.csv': 'id,operadora\n1\n' })
  await service.versions.refresh()
  process.kill(pidOf(service), 'SIGKILL')
  expect(await service.ids(token)).toEqual([1, 2, 3, 4, 5])
  expect(await service.ids(await service.embedToken(['cnu']))).toEqual([3, 4])
})

test('a publication is loaded although the process ends during the load', async () => {
  const { service, token } = await serviceOver({})
  await writeFiles(service.dataDir, {
    'datasets/claims/claims.csv': 'id,operadora,sexo,valor,dia,pago,hora\n9,CNU,,5,,true,\n',
  })
  const loading = service.versions.refresh()
  await expect.poll(() => service.versions.openDatabases(), { interval: 1 }).toBe(3)
  process.kill(pidOf(service), 'SIGKILL')
  expect((await loading).warnings).toEqual([])
  expect((await service.app.inject('/readyz')).statusCode).toBe(200)
  expect(await service.ids(token)).toEqual([9])
})
