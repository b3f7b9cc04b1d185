import { OTHER_NAMES, SEARCH_PAIRS } from '@bi-manager/contract/fold-pairs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  CLAIMS,
  claimsReport,
  OTHER_GROUP,
  PLAIN_REPORT,
  REPORT,
  type Service,
  serviceWith,
  startService,
  visual,
} from '../../../test/fixture.ts'
import type { EmbeddedReport, VisualData } from '../../wire/embed-contract.ts'

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

describe('row-level security', () => {
  test.each<[string, string[], object, number[]]>([
    ['a role that names no table sees all', ['todos'], {}, [1, 2, 3, 4, 5]],
    ['one role sees its rows', ['cnu'], {}, [3, 4]],
    ['several roles see what any of them allows', ['cnu', 'bradesco'], {}, [1, 2, 3, 4]],
    ['a role that sees all lifts the others', ['cnu', 'todos'], {}, [1, 2, 3, 4, 5]],
    ['a role by user name reads a hidden table', ['por-usuario'], {}, [3, 4, 5]],
    ['another user name sees other rows', ['por-usuario'], { username: 'bia@x.br' }, [1, 2]],
    ['an unknown user name sees nothing', ['por-usuario'], { username: "' OR 1=1 --" }, []],
    ['a role by customData', ['por-dado'], { customData: 'SANTA_CASA' }, [5]],
    ['no customData sees nothing', ['por-dado'], {}, []],
    [
      'user name and customData together',
      ['por-usuario', 'por-dado'],
      { customData: 'BRADESCO' },
      [1, 2, 3, 4, 5],
    ],
  ])('row-level security applies: %s', async (_name, roles, identity, expected) => {
    const token = await service.embedToken(roles, identity)
    expect(await service.ids(token)).toEqual(expected)
  })

  test('filters restrict the rows of a role and never add any', async () => {
    const token = await service.embedToken(['cnu'])
    const filter = (values: string[]) => [
      { target: { table: 'Claims', column: 'operadora' }, operator: 'In', values },
    ]
    expect(await service.ids(token, filter(['CNU', 'BRADESCO']))).toEqual([3, 4])
    expect(await service.ids(token, filter(['BRADESCO']))).toEqual([])
    expect(await service.ids(token)).toEqual([3, 4])
  })

  test('a cached answer of one identity is not given to another', async () => {
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

  test('a column has only the values of the allowed rows', async () => {
    const values = async (roles: string[], search?: string) =>
      (
        await service.embed(await service.embedToken(roles), 'POST', `/reports/${REPORT}/values`, {
          target: { table: 'Claims', column: 'operadora' },
          search,
        })
      ).json()
    expect(await values(['todos'])).toEqual({
      values: ['BRADESCO', 'CNU', 'SANTA_CASA'],
      kind: 'text',
      truncated: false,
    })
    expect(await values(['cnu'])).toEqual({ values: ['CNU'], kind: 'text', truncated: false })
    expect(await values(['todos'], 'santa')).toEqual({
      values: ['SANTA_CASA'],
      kind: 'text',
      truncated: false,
    })
  })

  test('values are searched literally, ignoring case and accents', async () => {
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
      'CLÍNICA á': ['Clínica Água', "Clínica d'Oeste"],
      'clinica agua': ['Clínica Água'],
      'agua clinica': ['Clínica Água'],
      '  oeste   cli ': ["Clínica d'Oeste"],
      'clinica oeste agua': [],
      '$search0 $search1': [],
      [`${'g '.repeat(49)}g`]: ['Clínica Água'],
      Clìnica: ['Clínica Água', "Clínica d'Oeste"],
    }
    const all = Object.keys(expected).map(async (search) => [search, await found(search)])
    expect(Object.fromEntries(await Promise.all(all))).toEqual(expected)
  })

  test('values are found by what the report shows', async () => {
    const rows = [
      '1,BRADESCO,masculino,1,2026-03-05,true,2026-03-05 14:30:15',
      '2,CNU,feminino,2,2026-11-20,false,2026-11-20 08:00:00',
      '3,,,3,,,',
    ]
    const csv = `id,operadora,sexo,valor,dia,pago,hora\n${rows.join('\n')}\n`
    const values = { CNU: { label: 'Central Nacional' }, '2026-03-05': { label: 'Dia do corte' } }
    const files = {
      'datasets/claims/claims.csv': csv,
      'workspaces/one/claims.json': { ...claimsReport, values },
    }
    const searched = await serviceWith({ files })
    const token = await searched.embedToken(['todos'])
    const found = async (column: string, search: string) => {
      const target = { table: 'Claims', column }
      const answer = await searched.embed(token, 'POST', `/reports/${REPORT}/values`, { target, search })
      return answer.json().values
    }
    const [march, november] = ['2026-03-05', '2026-11-20']
    const [atMarch, atNovember] = [`${march}T14:30:15`, `${november}T08:00:00`]
    for (const [column, search, expected] of [
      ['dia', '05/03', [march]],
      ['dia', '/2026', [march, november]],
      ['dia', '2026-03', [march]],
      ['dia', 'do corte', [march]],
      ['dia', '03/05', []],
      ['dia', 'branco', [null]],
      ['hora', '05/03/2026 14:30:15', [atMarch]],
      ['hora', '08:00', [atNovember]],
      ['pago', 'sim', [true]],
      ['pago', 'nao', [false]],
      ['pago', '(em branco)', [null]],
      ['operadora', 'nacional central', ['CNU']],
      ['operadora', 'cnu', ['CNU']],
      ['operadora', 'central bradesco', []],
    ] as const)
      expect([column, search, await found(column, search)]).toEqual([column, search, expected])
  })

  test('values are found by the same searches as names in the portal', async () => {
    const names = [...new Set([...SEARCH_PAIRS, ...OTHER_NAMES].map(([, name]) => name))]
    const rows = names.map((name, id) => `${id},"${name}",x,1,2024-01-05,true,2024-01-05 10:00:00\n`)
    const csv = `id,operadora,sexo,valor,dia,pago,hora\n${rows.join('')}`
    const searched = await serviceWith({ files: { 'datasets/claims/claims.csv': csv } })
    const token = await searched.embedToken(['todos'])
    const target = { table: 'Claims', column: 'operadora' }
    const found = async (search: string): Promise<string[]> =>
      (await searched.embed(token, 'POST', `/reports/${REPORT}/values`, { target, search })).json().values
    const finds = async ([typed, name]: readonly [string, string]) => (await found(typed)).includes(name)
    for (const pair of SEARCH_PAIRS) expect([pair, await finds(pair)]).toEqual([pair, true])
    for (const pair of OTHER_NAMES) expect([pair, await finds(pair)]).toEqual([pair, false])
  })

  test('row-level security refuses the values of a hidden or unknown column', async () => {
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

describe('refused calls', () => {
  const calls: ['GET' | 'POST', string, object | undefined][] = [
    ['GET', '', undefined],
    ['POST', '/data', { page: 'Main', filters: [] }],
    ['POST', '/values', { target: { table: 'Claims', column: 'id' } }],
  ]
  test.each(calls)(
    'the service refuses %s %s without a valid token for the report',
    async (method, path, body) => {
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
    },
  )

  test.each(calls)(
    "the service refuses %s %s from the second of the token's expiry",
    async (method, path, body) => {
      const token = await service.embedToken(['todos'], {}, { lifetimeInMinutes: 1 })
      const ask = () => service.embed(token, method, `/reports/${REPORT}${path}`, body)
      service.clock.now += 59_999
      expect((await ask()).statusCode).toBe(200)
      service.clock.now += 1
      const late = await ask()
      expect([late.statusCode, code(late)]).toEqual([403, 'TokenExpired'])
    },
  )

  test('the service refuses a token of another service', async () => {
    const other = await serviceWith()
    const answer = await service.data(await other.embedToken(['todos']))
    expect(answer.statusCode).toBe(403)
  })

  test('the service refuses a token that is valid for a dataset only', async () => {
    const identities = [{ username: 'a', roles: ['todos'], datasets: [CLAIMS] }]
    const body = { datasets: [{ id: CLAIMS }], identities }
    const answer = await service.rest(await service.entraToken(), 'POST', '/GenerateToken', body)
    expect((await service.data(answer.json().token)).statusCode).toBe(403)
  })
})

describe('answers', () => {
  test('a report has no SQL, and the expiry of the token', async () => {
    const answer = await service.embed(
      await service.embedToken(['cnu'], {}, { lifetimeInMinutes: 5 }),
      'GET',
      `/reports/${REPORT}`,
    )
    expect(answer.headers['cache-control']).toBe('no-store')
    const report: EmbeddedReport = answer.json()
    expect(report.expiresAt).toBe(START + 5 * 60_000)
    expect(report.columns).toEqual({ Claims: ['id', 'operadora', 'sexo', 'valor', 'dia', 'pago', 'hora'] })
    expect(answer.body).not.toMatch(/SELECT|Access/)
  })

  test('a report names the columns of the rows of each visual', async () => {
    const answer = await service.embed(await service.embedToken(['cnu']), 'GET', `/reports/${REPORT}`)
    const { pages }: EmbeddedReport = answer.json()
    const columns = Object.fromEntries(
      pages.flatMap(({ visuals }) => visuals.map((one) => [one.name, one.columns])),
    )
    const { visuals } = (await service.data(await service.embedToken(['cnu']))).json()
    for (const [name, { columns: sent }] of Object.entries<VisualData>(visuals))
      expect([name, columns[name]]).toEqual([name, sent])
  })

  test('a page has every visual, with numbers, dates, booleans and blanks as JSON', async () => {
    const { visuals } = (await service.data(await service.embedToken(['todos']))).json()
    expect(visuals.total).toEqual({
      columns: ['total', 'n'],
      kinds: ['number', 'integer'],
      rows: [[725.75, 5]],
      truncated: false,
    })
    expect(visuals.types.kinds).toEqual(['date', 'timestamp', 'boolean', 'number', 'integer'])
    expect(visuals.types.rows).toEqual([['2024-01-05', '2024-01-05T10:00:00', true, 100.5, 1]])
  })

  test('a visual has at most 10,000 rows, and is marked as truncated', async () => {
    const token = await service.embedToken(['todos'])
    const { many } = (await service.data(token, [], 'Second')).json().visuals
    expect([many.rows.length, many.truncated]).toEqual([10_000, true])
  })

  test('a report without roles opens with a token without identity', async () => {
    const path = `/groups/${OTHER_GROUP}/reports/${PLAIN_REPORT}/GenerateToken`
    const { token } = (await service.rest(await service.entraToken(), 'POST', path, {})).json()
    const { visuals } = (await service.data(token, [], 'Main', PLAIN_REPORT)).json()
    expect(visuals.n.rows).toEqual([[2]])
  })

  test('an unknown page is 404', async () => {
    const answer = await service.data(await service.embedToken(['todos']), [], 'Nada')
    expect([answer.statusCode, code(answer)]).toEqual([404, 'PowerBIEntityNotFound'])
  })

  test('a query that takes too long is 504, and the service goes on', async () => {
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
    // A busy machine may need longer than 200 ms for this query too.
    await expect.poll(() => impatient.ids(token), { timeout: 10_000 }).toHaveLength(5)
  })

  test('a call takes at most 20 filters', async () => {
    const token = await service.embedToken(['todos'])
    const filter = { target: { table: 'Claims', column: 'id' }, operator: 'NotIn', values: [1] }
    expect(await service.ids(token, Array(20).fill(filter))).toEqual([2, 3, 4, 5])
    const answer = await service.data(token, Array(21).fill(filter))
    expect([answer.statusCode, code(answer)]).toEqual([400, 'InvalidRequest'])
  })

  test('the service refuses a body that is too deep, too wide or too long at once', async () => {
    const token = await service.embedToken(['todos'])
    const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
    const filter = { target: { table: 'Claims', column: 'id' }, operator: 'NotIn', values: [1] }
    expect(await service.ids(token, [{ ...filter, displaySettings: { isHiddenInViewMode: true } }])).toEqual([
      2, 3, 4, 5,
    ])
    const wide = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`v${n}`, [1]]))
    for (const body of [
      { filters: [{ ...filter, displaySettings: deep(500) }] },
      { filters: [{ ...filter, values: Array(9_000).fill({}) }] },
      { filters: [], drill: wide },
      { filters: [], drill: { ids: ['x'.repeat(2_002)] } },
    ]) {
      const asked = { page: 'Main', ...body }
      const answer = await service.embed(token, 'POST', `/reports/${REPORT}/data`, asked)
      expect([answer.statusCode, code(answer)]).toEqual([400, 'InvalidRequest'])
    }
  })
})
