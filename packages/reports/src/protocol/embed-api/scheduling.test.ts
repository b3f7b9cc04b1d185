import { expect, onTestFinished, test } from 'vitest'
import {
  CLAIMS,
  claimsReport,
  OTHER_GROUP,
  PLAIN,
  PLAIN_REPORT,
  plainReport,
  REPORT,
  serviceWith,
  visual,
} from '../../../test/fixture.ts'
import type { PageData } from '../../wire/embed-contract.ts'

/* Scheduling of queries when more are waiting than can run at a time. */

type Refusal = { error?: { code: string } }
/** A query that takes seconds; each has another filter, so that no two share an answer. */
const slow = 'SELECT count(*) AS n FROM Claims, range(100000) a(x), range(100000) b(y) WHERE x * y % 7 = id'
const files = {
  'workspaces/one/claims.json': {
    ...claimsReport,
    pages: [
      {
        name: 'Slow',
        displayName: 'Lenta',
        visuals: Array.from({ length: 8 }, (_, index) => visual(`slow${index}`, slow)),
      },
      claimsReport.pages[0],
    ],
  },
}
const filter = (value: number) => ({
  target: { table: 'Claims', column: 'id' },
  operator: 'NotIn',
  values: [value],
})

test('a reader who floods the service is refused and does not affect others', async () => {
  const busy = await serviceWith({ files })
  // The queue of visuals is what refuses here, not that of a reader's calls.
  busy.app.answerLimits.perOwner = 30
  await busy.app.listen({ port: 0 })
  const address = busy.app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const tokenOf = (reader: string) => busy.embedToken(['todos'], {}, { '@biManager.reader': reader })
  const flooding = await tokenOf('one')
  // A second token of the same reader does not get its own queue.
  const tokens = [flooding, await tokenOf('one')]
  const hangUp = new AbortController()
  const ask = (value: number) =>
    fetch(`http://localhost:${port}/embed-api/reports/${REPORT}/data`, {
      method: 'POST',
      headers: {
        authorization: `EmbedToken ${tokens[value % 2]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ page: 'Slow', filters: [filter(value + 100)] }),
      signal: hangUp.signal,
    })
  const asked = Array.from({ length: 30 }, (_, value) =>
    ask(value).then(
      async (answer) => ({ answer, code: ((await answer.json()) as Refusal).error?.code }),
      () => undefined,
    ),
  )
  const refused = await Promise.race(asked)
  expect([refused?.answer.status, refused?.code]).toEqual([503, 'ServiceBusy'])
  expect(Number(refused?.answer.headers.get('retry-after'))).toBeGreaterThan(0)

  const target = { table: 'Claims', column: 'operadora' }
  const light = await busy.embedToken(['cnu'], { username: 'bia@x.br' })
  const start = Date.now()
  const values = await busy.embed(light, 'POST', `/reports/${REPORT}/values`, { target })
  expect(values.json().values).toEqual(['CNU'])
  expect(await busy.ids(light)).toEqual([3, 4])
  // Another reader of the same rows has a queue of their own.
  expect(await busy.ids(await tokenOf('other'), [filter(1)])).toHaveLength(4)
  expect(Date.now() - start).toBeLessThan(5000)

  hangUp.abort()
  const again = Date.now()
  await expect.poll(() => busy.ids(flooding), { timeout: 5000 }).toHaveLength(5)
  expect(Date.now() - again).toBeLessThan(5000)
  await Promise.all(asked)
}, 30_000)

test('forty slow calls of one viewer occupy two slots and delay no other viewer', async () => {
  const busy = await serviceWith({ files, options: { queryTimeoutMs: 120_000 } })
  await busy.app.listen({ port: 0 })
  const address = busy.app.server.address()
  const at = `http://localhost:${typeof address === 'object' && address ? address.port : 0}`
  const { database } = (await busy.loaded).datasets.get(CLAIMS) ?? expect.fail('no dataset')
  const { query } = database
  let underWay = 0
  const begun: number[] = []
  database.query = (...given) => {
    begun.push(++underWay)
    return query(...given).finally(() => underWay--)
  }
  const hangUp = new AbortController()
  onTestFinished(() => hangUp.abort())
  const ask = (token: string, body: object, signal: AbortSignal | null) =>
    fetch(`${at}/embed-api/reports/${REPORT}/data`, {
      method: 'POST',
      headers: { authorization: `EmbedToken ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
  const flooding = await busy.embedToken(['todos'])
  const ended: string[] = []
  const flood = Array.from({ length: 40 }, (_, value) => {
    const body = { page: 'Slow', visuals: ['slow0'], filters: [filter(value + 100)] }
    return ask(flooding, body, hangUp.signal)
      .catch(() => undefined)
      .finally(() => ended.push('flood'))
  })
  await expect.poll(() => begun.length, { timeout: 20_000 }).toBe(2)

  const reader = await busy.embedToken(['por-usuario'], { username: 'bia@x.br' })
  for (const [value, expected] of [
    [101, [1, 2]],
    [1, [2]],
  ] as const) {
    expect((await fetch(`${at}/readyz`)).status).toBe(200)
    const answer = await ask(reader, { page: 'Main', visuals: ['ids'], filters: [filter(value)] }, null)
    const { visuals } = (await answer.json()) as PageData
    expect(visuals.ids?.rows.flat()).toEqual(expected)
    ended.push('reader')
  }
  // Two of the flood's queries ran all the time, no third started, and the reader never waited.
  expect(ended).toEqual(['reader', 'reader'])
  expect(begun).toEqual([1, 2, 3, 3])
  expect(underWay).toBe(2)

  hangUp.abort()
  await Promise.all(flood)
  await expect.poll(() => underWay, { timeout: 20_000 }).toBe(0)
  expect(ended.filter((who) => who === 'flood')).toHaveLength(40)
  // A query whose client disconnected while it waited never starts.
  expect(begun.length).toBeLessThanOrEqual(6)
}, 60_000)

const plainPath = `/groups/${OTHER_GROUP}/reports/${PLAIN_REPORT}/GenerateToken`
const slowPlain =
  'SELECT count(*) AS n FROM Claims, range(100000) a(i), range(100000) b(j) WHERE i * j % 7 = x'
const without = (value: number) => [
  { target: { table: 'Claims', column: 'x' }, operator: 'NotIn', values: [value] },
]

test.each([
  ['one heavy tab', 1],
  ['two heavy tabs', 2],
])(
  "%s at the same address cannot delay a light page's visuals",
  async (_name, tabs) => {
    const range = (length: number) => Array.from({ length }, (_, index) => index)
    const pages = [
      {
        name: 'Slow',
        displayName: 'Lenta',
        visuals: range(8).map((index) => visual(`slow${index}`, slowPlain.replace('7', `${index + 7}`))),
      },
      {
        name: 'Main',
        displayName: 'Leve',
        visuals: range(6).map((index) => visual(`light${index}`, `SELECT x + ${index} AS n FROM Claims`)),
      },
    ]
    const files = { 'workspaces/two/plain.json': { ...plainReport, pages } }
    const budget = 3000
    const shared = await serviceWith({ files, options: { queryTimeoutMs: budget } })
    const entra = await shared.entraToken()
    const tokenOf = async (): Promise<string> =>
      (await shared.rest(entra, 'POST', plainPath, {})).json().token
    const ask = (token: string, page: string, value: number) =>
      shared.data(token, without(value), page, PLAIN_REPORT)

    let isOver = false
    const heavy = range(tabs).map(async (tab) => {
      const token = await tokenOf()
      for (let value = 0; !isOver; value++) await ask(token, 'Slow', 100 + 2 * value + tab)
    })
    const { database } = (await shared.loaded).datasets.get(PLAIN) ?? expect.fail('no dataset')
    const { query } = database
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    database.query = (...given) => {
      begin()
      return query(...given)
    }
    await begun
    const light = await tokenOf()
    const times: number[] = []
    for (const value of range(6)) {
      const start = performance.now()
      const answer = await ask(light, 'Main', 1000 + value)
      times.push(performance.now() - start)
      expect(answer.statusCode, answer.body).toBe(200)
      const { visuals, failures } = answer.json() as PageData
      expect([Object.keys(visuals).length, failures]).toEqual([6, {}])
    }
    isOver = true
    await Promise.all(heavy)
    // The first page may wait for up to three statements of the tabs; later pages wait for none.
    const waited = times.slice(tabs - 1).filter((time) => time > budget / 2)
    expect(waited, times.map(Math.round).join(' ')).toEqual([])
  },
  60_000,
)

test('readers without an identity are scheduled by token, so that those behind one address do not share a queue', async () => {
  const pages = [{ ...plainReport.pages[0], visuals: [visual('slow', slowPlain)] }]
  const behind = await serviceWith({
    files: { 'workspaces/two/plain.json': { ...plainReport, pages } },
    options: { queryTimeoutMs: 700 },
  })
  const { database } = (await behind.loaded).datasets.get(PLAIN) ?? expect.fail('no dataset')
  const { query } = database
  let underWay = 0
  let most = 0
  database.query = (...given) => {
    most = Math.max(most, ++underWay)
    return query(...given).finally(() => underWay--)
  }
  const entra = await behind.entraToken()
  const tokenOf = async (): Promise<string> => (await behind.rest(entra, 'POST', plainPath, {})).json().token
  const ask = (token: string, value: number) => behind.data(token, without(value), 'Main', PLAIN_REPORT)

  // One token has two slots at most.
  const one = await tokenOf()
  await Promise.all([100, 101, 102, 103].map((value) => ask(one, value)))
  expect(most).toBe(2)
  // Four tokens of the same address fill all.
  const tokens = await Promise.all([tokenOf(), tokenOf(), tokenOf(), tokenOf()])
  const answers = await Promise.all(tokens.map((token, index) => ask(token, 200 + index)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([504, 504, 504, 504])
  expect(most).toBe(4)
}, 60_000)

test('readers who ask the same at the same time share the statements', async () => {
  const pages = [
    {
      ...plainReport.pages[0],
      visuals: Array.from({ length: 5 }, (_, index) =>
        visual(
          `n${index}`,
          `SELECT count(*) + ${index} AS n FROM Claims, range(3000) a(i), range(3000) b(j)`,
        ),
      ),
    },
  ]
  const shared = await serviceWith({ files: { 'workspaces/two/plain.json': { ...plainReport, pages } } })
  const { database } = (await shared.loaded).datasets.get(PLAIN) ?? expect.fail('no dataset')
  const { query } = database
  const asked: string[] = []
  database.query = (...given) => {
    asked.push(given[0])
    return query(...given)
  }
  const entra = await shared.entraToken()
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { token } = (await shared.rest(entra, 'POST', plainPath, {})).json()
      return shared.data(token, without(7), 'Main', PLAIN_REPORT)
    }),
  )
  const [first, ...others] = answers.map(({ body }) => body)
  expect((JSON.parse(first ?? '') as PageData).failures).toEqual({})
  expect(new Set(others)).toEqual(new Set([first]))
  expect([asked.length, new Set(asked).size]).toEqual([5, 5])
})

test('a reader who shared the statement of another one gets an answer when the other leaves', async () => {
  const pages = [{ ...plainReport.pages[0], visuals: [visual('slow', slowPlain)] }]
  const shared = await serviceWith({ files: { 'workspaces/two/plain.json': { ...plainReport, pages } } })
  await shared.app.listen({ port: 0 })
  const address = shared.app.server.address()
  const at = `http://localhost:${typeof address === 'object' && address ? address.port : 0}`
  const { database } = (await shared.loaded).datasets.get(PLAIN) ?? expect.fail('no dataset')
  const begun: AbortSignal[] = []
  // The first statement runs until it is aborted, the second is answered at once.
  database.query = async (_sql, _values, signal) => {
    begun.push(signal ?? expect.fail('no signal'))
    if (begun.length > 1) return [[42]]
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
    )
  }
  const entra = await shared.entraToken()
  const hangUp = new AbortController()
  const ask = async (signal: AbortSignal | null) => {
    const { token } = (await shared.rest(entra, 'POST', plainPath, {})).json()
    return fetch(`${at}/embed-api/reports/${PLAIN_REPORT}/data`, {
      method: 'POST',
      headers: { authorization: `EmbedToken ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ page: 'Main', filters: without(8) }),
      signal,
    })
  }
  const leaving = ask(hangUp.signal).catch(() => undefined)
  await expect.poll(() => begun.length).toBe(1)
  const staying = ask(null)
  // The second reader has its turn and joins.
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(begun).toHaveLength(1)
  hangUp.abort()
  await leaving
  const { visuals } = (await (await staying).json()) as PageData
  expect(visuals.slow?.rows).toEqual([[42]])
  expect(begun).toHaveLength(2)
})
