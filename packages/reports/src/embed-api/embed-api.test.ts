import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  CLAIMS,
  claimsReport,
  OTHER_GROUP,
  PLAIN,
  PLAIN_REPORT,
  plainReport,
  REPORT,
  type Service,
  serviceWith,
  startService,
  visual,
} from '../../test/fixture.ts'
import type { EmbeddedReport, PageData } from '../embed-contract.ts'

let service: Service
const START = Date.parse('2026-03-01T12:00:00Z')

beforeAll(async () => {
  service = await startService()
  await service.loaded
})
beforeEach(() => {
  service.clock.now = START
})
afterAll(() => service.stop())

const code = (answer: { json(): { error: { code: string } } }) => answer.json().error.code

describe('whose rows', () => {
  it.each<[string, string[], object, number[]]>([
    ['a role that names no table sees all', ['todos'], {}, [1, 2, 3, 4, 5]],
    ['one role', ['cnu'], {}, [3, 4]],
    ['several roles see what any of them allows', ['cnu', 'bradesco'], {}, [1, 2, 3, 4]],
    ['a role that sees all lifts the others', ['cnu', 'todos'], {}, [1, 2, 3, 4, 5]],
    ['user name through a hidden table', ['por-usuario'], {}, [3, 4, 5]],
    ['another user name', ['por-usuario'], { username: 'bia@x.br' }, [1, 2]],
    ['a user name that is nobody', ['por-usuario'], { username: "' OR 1=1 --" }, []],
    ['customData', ['por-dado'], { customData: 'SANTA_CASA' }, [5]],
    ['no customData sees nothing', ['por-dado'], {}, []],
    [
      'user name and customData together',
      ['por-usuario', 'por-dado'],
      { customData: 'BRADESCO' },
      [1, 2, 3, 4, 5],
    ],
  ])('%s', async (_name, roles, identity, expected) => {
    const token = await service.embedToken(roles, identity)
    expect(await service.ids(token)).toEqual(expected)
  })

  it('filters narrow what the role allows and never widen it', async () => {
    const token = await service.embedToken(['cnu'])
    const filter = (values: string[]) => [
      { target: { table: 'Claims', column: 'operadora' }, operator: 'In', values },
    ]
    expect(await service.ids(token, filter(['CNU', 'BRADESCO']))).toEqual([3, 4])
    expect(await service.ids(token, filter(['BRADESCO']))).toEqual([])
    expect(await service.ids(token)).toEqual([3, 4])
  })

  it('an answer kept for one identity is not given to another', async () => {
    const [all, cnu, bia] = [
      await service.embedToken(['todos']),
      await service.embedToken(['cnu']),
      await service.embedToken(['por-usuario'], { username: 'bia@x.br' }),
    ]
    for (let round = 0; round < 2; round++) {
      expect(await service.ids(all)).toHaveLength(5)
      expect(await service.ids(cnu)).toEqual([3, 4])
      expect(await service.ids(bia)).toEqual([1, 2])
    }
  })

  it('the values of a column are those of the rows allowed', async () => {
    const values = async (roles: string[], search?: string) =>
      (
        await service.embed(await service.embedToken(roles), 'POST', `/reports/${REPORT}/values`, {
          target: { table: 'Claims', column: 'operadora' },
          search,
        })
      ).json()
    expect(await values(['todos'])).toEqual({ values: ['BRADESCO', 'CNU', 'SANTA_CASA'], truncated: false })
    expect(await values(['cnu'])).toEqual({ values: ['CNU'], truncated: false })
    expect(await values(['todos'], 'santa')).toEqual({ values: ['SANTA_CASA'], truncated: false })
  })

  it('values are searched for letter by letter, whatever their case and accents', async () => {
    const names = ['AxB', 'A_B', 'Clínica Água', "Clínica d'Oeste", '50% + taxa', '50 + taxa', 'C:\\x']
    const rows = names.map((name, id) => `${id},${name},x,1,2024-01-05,true,2024-01-05 10:00:00\n`)
    const csv = `id,operadora,sexo,valor,dia,pago,hora\n${rows.join('')}`
    const searched = await serviceWith({ files: { 'datasets/claims/claims.csv': csv } })
    const token = await searched.embedToken(['todos'])
    const found = async (search: string) => {
      const target = { table: 'Claims', column: 'operadora' }
      const answer = await searched.embed(token, 'POST', `/reports/${REPORT}/values`, { target, search })
      return answer.json().values
    }
    const expected = {
      '%': ['50% + taxa'],
      _: ['A_B'],
      "d'oe": ["Clínica d'Oeste"],
      "' OR 1=1 --": [],
      '\\': ['C:\\x'],
      'a.b': [],
      $search: [],
      'CLÍNICA á': ['Clínica Água'],
      'clinica agua': ['Clínica Água'],
      Clìnica: ['Clínica Água', "Clínica d'Oeste"],
    }
    const all = Object.keys(expected).map(async (search) => [search, await found(search)])
    expect(Object.fromEntries(await Promise.all(all))).toEqual(expected)
  })

  it('values of a hidden or unknown column are refused', async () => {
    const token = await service.embedToken(['todos'])
    for (const target of [
      { table: 'Access', column: 'email' },
      { table: 'Claims', column: 'nada' },
    ]) {
      const answer = await service.embed(token, 'POST', `/reports/${REPORT}/values`, { target })
      expect([answer.statusCode, code(answer)]).toEqual([400, 'InvalidFilter'])
    }
  })
})

describe('who is refused', () => {
  const calls: ['GET' | 'POST', string, object | undefined][] = [
    ['GET', '', undefined],
    ['POST', '/data', { page: 'Main', filters: [] }],
    ['POST', '/values', { target: { table: 'Claims', column: 'id' } }],
  ]
  it.each(calls)('%s %s without a token that is right for it', async (method, path, body) => {
    const ask = (token: string | undefined, report = REPORT) =>
      service.embed(token, method, `/reports/${report}${path}`, body)
    const token = await service.embedToken(['todos'])
    expect((await ask(token)).statusCode).toBe(200)
    for (const refused of [
      await ask(undefined),
      await ask('x'),
      await ask(`${token.slice(0, -6)}AAAAAA`),
      await ask(await service.entraToken()),
      await ask(token, PLAIN_REPORT),
    ]) {
      expect([refused.statusCode, code(refused)]).toEqual([403, 'PowerBINotAuthorizedException'])
      expect(refused.headers['cache-control']).toBe('no-store')
    }
  })

  it.each(calls)('%s %s after the token’s end, to the second', async (method, path, body) => {
    const token = await service.embedToken(['todos'], {}, 1)
    const ask = () => service.embed(token, method, `/reports/${REPORT}${path}`, body)
    service.clock.now += 59_999
    expect((await ask()).statusCode).toBe(200)
    service.clock.now += 1
    const late = await ask()
    expect([late.statusCode, code(late)]).toEqual([403, 'TokenExpired'])
  })

  it('a token of another service', async () => {
    const other = await serviceWith()
    const answer = await service.data(await other.embedToken(['todos']))
    expect(answer.statusCode).toBe(403)
  })

  it('a token for a dataset alone opens no report', async () => {
    const identities = [{ username: 'a', roles: ['todos'], datasets: [CLAIMS] }]
    const body = { datasets: [{ id: CLAIMS }], identities }
    const answer = await service.rest(await service.entraToken(), 'POST', '/GenerateToken', body)
    expect((await service.data(answer.json().token)).statusCode).toBe(403)
  })
})

describe('what is answered', () => {
  it('the report, without SQL, and when the token ends', async () => {
    const answer = await service.embed(await service.embedToken(['cnu'], {}, 5), 'GET', `/reports/${REPORT}`)
    expect(answer.headers['cache-control']).toBe('no-store')
    const report: EmbeddedReport = answer.json()
    expect(report.expiresAt).toBe(START + 5 * 60_000)
    expect(report.columns).toEqual({ Claims: ['id', 'operadora', 'sexo', 'valor', 'dia', 'pago', 'hora'] })
    expect(answer.body).not.toMatch(/SELECT|Access/)
  })

  it('every visual of a page: numbers, dates, booleans and blanks as JSON', async () => {
    const { visuals } = (await service.data(await service.embedToken(['todos']))).json()
    expect(visuals.total).toEqual({ columns: ['total', 'n'], rows: [[725.75, 5]], truncated: false })
    expect(visuals.types.rows).toEqual([['2024-01-05', '2024-01-05T10:00:00', true, 100.5, 1]])
  })

  it('at most 10,000 rows, and says so', async () => {
    const token = await service.embedToken(['todos'])
    const { many } = (await service.data(token, [], 'Second')).json().visuals
    expect([many.rows.length, many.truncated]).toEqual([10_000, true])
  })

  it('a report without roles to a token without identity', async () => {
    const path = `/groups/${OTHER_GROUP}/reports/${PLAIN_REPORT}/GenerateToken`
    const { token } = (await service.rest(await service.entraToken(), 'POST', path, {})).json()
    const { visuals } = (await service.data(token, [], 'Main', PLAIN_REPORT)).json()
    expect(visuals.n.rows).toEqual([[2]])
  })

  it('404 for an unknown page', async () => {
    const answer = await service.data(await service.embedToken(['todos']), [], 'Nada')
    expect([answer.statusCode, code(answer)]).toEqual([404, 'PowerBIEntityNotFound'])
  })

  it('504 for a query that takes too long, and goes on serving', async () => {
    const slow =
      'SELECT count(*) AS n FROM Claims, range(100000) a(x), range(1000000) b(y) WHERE x * y % 7 = id'
    const pages = [
      { name: 'Slow', displayName: 'Lenta', visuals: [visual('slow', slow)] },
      { name: 'Main', displayName: 'Rápida', visuals: [visual('ids', 'SELECT id FROM Claims ORDER BY id')] },
    ]
    const files = { 'workspaces/one/claims.json': { ...claimsReport, pages } }
    const impatient = await serviceWith({ files, options: { queryTimeoutMs: 200 } })
    const token = await impatient.embedToken(['todos'])
    const answer = await impatient.data(token, [], 'Slow')
    expect([answer.statusCode, code(answer)]).toEqual([504, 'QueryTimeout'])
    // On a busy machine 200 ms may be short for that, too.
    await expect.poll(() => impatient.ids(token), { timeout: 10_000 }).toHaveLength(5)
  })
})

describe('whose turn it is', () => {
  type Refusal = { error?: { code: string } }
  /** Seconds of work, each differently filtered so that no two are one. */
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

  it('one who floods is held up alone, told so, and forgotten once gone', async () => {
    const busy = await serviceWith({ files })
    await busy.app.listen({ port: 0 })
    const address = busy.app.server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const flooding = await busy.embedToken(['todos'])
    // Another token of the same person is no second place in the queue.
    const tokens = [flooding, await busy.embedToken(['todos'])]
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
    expect(Date.now() - start).toBeLessThan(5000)

    hangUp.abort()
    const again = Date.now()
    await expect.poll(() => busy.ids(flooding), { timeout: 5000 }).toHaveLength(5)
    expect(Date.now() - again).toBeLessThan(5000)
    await Promise.all(asked)
  }, 30_000)

  it('forty slow calls of one viewer take two slots, and nobody else waits for one of them', async () => {
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
    // The two of the flood run all the while, none of its others came between, and the reader's never had to wait for them.
    expect(ended).toEqual(['reader', 'reader'])
    expect(begun).toEqual([1, 2, 3, 3])
    expect(underWay).toBe(2)

    hangUp.abort()
    await Promise.all(flood)
    await expect.poll(() => underWay, { timeout: 20_000 }).toBe(0)
    expect(ended.filter((who) => who === 'flood')).toHaveLength(40)
    // Whoever hung up while waiting never began.
    expect(begun.length).toBeLessThanOrEqual(6)
  }, 60_000)

  const plainPath = `/groups/${OTHER_GROUP}/reports/${PLAIN_REPORT}/GenerateToken`
  const slowPlain =
    'SELECT count(*) AS n FROM Claims, range(100000) a(i), range(100000) b(j) WHERE i * j % 7 = x'
  const without = (value: number) => [
    { target: { table: 'Claims', column: 'x' }, operator: 'NotIn', values: [value] },
  ]

  it.each([
    ['one heavy tab', 1],
    ['two heavy tabs', 2],
  ])(
    '%s at the same address, and a light page still has all its visuals',
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
      // The first page may find two statements of one tab and one of the other; from then on, no heavy one is waited for.
      const waited = times.slice(tabs - 1).filter((time) => time > budget / 2)
      expect(waited, times.map(Math.round).join(' ')).toEqual([])
    },
    60_000,
  )

  it('readers without an identity share what their address may hold: that which a trusted proxy tells', async () => {
    const pages = [
      {
        ...plainReport.pages[0],
        visuals: [visual('slow', slowPlain), visual('other', slowPlain.replace('7', '9'))],
      },
    ]
    const plain = { 'workspaces/two/plain.json': { ...plainReport, pages } }
    /** How many statements of two addresses behind one proxy run at a time. */
    const mostBehind = async (env: Record<string, string>) => {
      const behind = await serviceWith({ files: plain, env, options: { queryTimeoutMs: 1500 } })
      const { database } = (await behind.loaded).datasets.get(PLAIN) ?? expect.fail('no dataset')
      const { query } = database
      let underWay = 0
      let most = 0
      database.query = (...given) => {
        most = Math.max(most, ++underWay)
        return query(...given).finally(() => underWay--)
      }
      const entra = await behind.entraToken()
      const ask = async (address: string, value: number) => {
        const { token } = (await behind.rest(entra, 'POST', plainPath, {})).json()
        return behind.app.inject({
          method: 'POST',
          url: `/embed-api/reports/${PLAIN_REPORT}/data`,
          headers: { authorization: `EmbedToken ${token}`, 'x-forwarded-for': address },
          payload: {
            page: 'Main',
            filters: without(value),
          },
        })
      }
      const addresses = ['203.0.113.7', '203.0.113.7', '203.0.113.7', '203.0.113.8']
      const answers = await Promise.all(addresses.map((address, index) => ask(address, 100 + index)))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([504, 504, 504, 504])
      return most
    }
    // One viewer has at most three of the four slots, whatever its tokens; the last is kept for another.
    expect(await mostBehind({})).toBe(3)
    expect(await mostBehind({ REPORTS_TRUST_PROXY: '10.0.0.0/8' })).toBe(3)
    expect(await mostBehind({ REPORTS_TRUST_PROXY: 'true' })).toBe(4)
  }, 60_000)

  it('takes 20 filters in a call and no more', async () => {
    const token = await service.embedToken(['todos'])
    const many = (length: number) => Array.from({ length }, () => filter(1))
    expect(await service.ids(token, many(20))).toEqual([2, 3, 4, 5])
    const answer = await service.data(token, many(21))
    expect([answer.statusCode, code(answer)]).toEqual([400, 'InvalidRequest'])
  })
})
