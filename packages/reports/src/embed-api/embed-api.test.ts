import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
} from '../../test/fixture.ts'
import type { EmbeddedReport } from '../embed-contract.ts'

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

  it('takes 20 filters in a call and no more', async () => {
    const token = await service.embedToken(['todos'])
    const filter = { target: { table: 'Claims', column: 'id' }, operator: 'NotIn', values: [1] }
    expect(await service.ids(token, Array(20).fill(filter))).toEqual([2, 3, 4, 5])
    const answer = await service.data(token, Array(21).fill(filter))
    expect([answer.statusCode, code(answer)]).toEqual([400, 'InvalidRequest'])
  })

  it('refuses a body that is too deep, too wide or too long at once', async () => {
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
