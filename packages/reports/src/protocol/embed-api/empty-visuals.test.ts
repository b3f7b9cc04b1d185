import { describe, expect, test } from 'vitest'
import { equal, filesOf } from '../../../test/claims-page.ts'
import { claimsDataset, GROUP, REPORT, serviceWith, visual } from '../../../test/fixture.ts'
import type { EmptyReasons } from '../../wire/embed-contract.ts'

const byOperadora = visual('a', 'SELECT operadora, sum(valor) AS n FROM Claims GROUP BY 1')
const never = visual('never', 'SELECT id FROM Claims WHERE id < 0')
const visuals = [byOperadora, visual('b', 'SELECT id FROM Claims'), never]

const open = async (roles: string[], identity: object = {}, files: object = {}) => {
  const service = await serviceWith({ files: { ...filesOf(visuals), ...files } })
  const token = await service.embedToken(roles, identity)
  const ask = (more: object = {}, as = token) =>
    service.embed(as, 'POST', `/reports/${REPORT}/empty`, {
      page: 'Main',
      visuals: ['a'],
      filters: [],
      ...more,
    })
  const reasons = async (more: object = {}): Promise<EmptyReasons['reasons']> => {
    const answer = await ask(more)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().reasons
  }
  return { service, ask, reasons }
}

describe('POST /embed-api/reports/:id/empty', () => {
  test('POST /embed-api/reports/:id/empty names the one filter that leaves no row by itself', async () => {
    const { reasons } = await open(['todos'])
    const filters = [equal('operadora', 'CNU'), equal('id', 999), equal('sexo', 'masculino')]
    expect(await reasons({ filters })).toEqual({ a: { kind: 'filters', filters: [1] } })
  })

  test('POST /embed-api/reports/:id/empty names the filters that leave no row together', async () => {
    const { reasons } = await open(['todos'])
    const filters = [equal('operadora', 'CNU'), equal('id', 1)]
    const both = { kind: 'filters', filters: [0, 1] }
    expect(await reasons({ visuals: ['a', 'b'], filters })).toEqual({ a: both, b: both })
  })

  test('POST /embed-api/reports/:id/empty names nothing when the tables have rows: the query of the visual leaves them out', async () => {
    const { reasons } = await open(['todos'])
    expect(await reasons({ visuals: ['never'], filters: [equal('operadora', 'CNU')] })).toEqual({})
  })

  test('POST /embed-api/reports/:id/empty tells a reader that a rule leaves no row, without its name, SQL or values', async () => {
    const { ask, reasons } = await open(['por-usuario'], { username: 'ninguem@exemplo.org' })
    expect(await reasons()).toEqual({ a: { kind: 'rule', lacksCustomData: false } })
    // A filter on a hidden value has the same answer as one on a value that does not exist.
    const hidden = (await ask({ filters: [equal('operadora', 'CNU')] })).body
    const missing = (await ask({ filters: [equal('operadora', 'NADA')] })).body
    expect(hidden).toBe(missing)
    expect(hidden).not.toMatch(/por-usuario|email|operadora|ninguem/)
  })

  test('POST /embed-api/reports/:id/empty says that the rule compares a value that the reader does not have', async () => {
    const { reasons } = await open(['por-dado'])
    expect(await reasons()).toEqual({ a: { kind: 'rule', lacksCustomData: true } })
    const other = await open(['por-dado'], { customData: 'UNIMED' })
    expect(await other.reasons()).toEqual({ a: { kind: 'rule', lacksCustomData: false } })
  })

  test('POST /embed-api/reports/:id/empty blames the filter, not the rule, when the rule leaves rows', async () => {
    const { reasons } = await open(['cnu'])
    const filters = [equal('operadora', 'BRADESCO')]
    expect(await reasons({ filters })).toEqual({ a: { kind: 'filters', filters: [0] } })
  })

  test('the answer names roles and identity for a token that explains rules', async () => {
    const identity = { username: 'ana@exemplo.org', customData: 'UNIMED', '@biManager.explainsRules': true }
    const { reasons } = await open(['por-dado', 'por-usuario'], identity)
    expect(await reasons()).toEqual({
      a: {
        kind: 'rule',
        lacksCustomData: false,
        rules: {
          roles: ['por-dado', 'por-usuario'],
          username: 'ana@exemplo.org',
          customData: 'UNIMED',
        },
      },
    })
  })

  test('POST /embed-api/reports/:id/empty says that a table has no rows at all', async () => {
    const empty = { 'datasets/claims/claims.csv': 'id,operadora,valor,sexo\n' }
    const dataset = { ...claimsDataset, roles: [{ name: 'todos', rows: {} }] }
    const files = { ...empty, 'datasets/claims/dataset.json': dataset }
    const { reasons } = await open(
      ['todos'],
      {},
      { ...files, ...filesOf([visual('a', 'SELECT id FROM Claims')]) },
    )
    expect(await reasons()).toEqual({ a: { kind: 'data' } })
  })

  test('POST /embed-api/reports/:id/empty tries at most eight filters one by one', async () => {
    const { reasons } = await open(['todos'])
    const kept = Array.from({ length: 19 }, (_, n) => equal('id', 1, 2, 3, 4, 5, 100 + n))
    const none = equal('id', 999)
    const at = async (place: number) => reasons({ filters: kept.toSpliced(place, 0, none) })
    expect(await at(7)).toEqual({ a: { kind: 'filters', filters: [7] } })
    expect(await at(8)).toEqual({ a: { kind: 'filters', filters: [...kept.keys(), 19] } })
  })

  test.each([
    ['an unknown page', { page: 'Nada' }, 404],
    ['no visual', { visuals: [] }, 400],
    ['too many visuals', { visuals: Array.from({ length: 13 }, () => 'a') }, 400],
    [
      'a filter on a hidden table',
      { filters: [{ ...equal('email', 'x'), target: { table: 'Access', column: 'email' } }] },
      400,
    ],
    ['an unknown field', { selection: {} }, 400],
  ])('POST /embed-api/reports/:id/empty refuses %s', async (_, question, status) => {
    const { ask } = await open(['todos'])
    expect((await ask(question)).statusCode).toBe(status)
  })

  test('POST /embed-api/reports/:id/empty refuses a token of another report, and one without the identity that the dataset requires', async () => {
    const { service, ask } = await open(['todos'])
    expect((await ask({}, 'x')).statusCode).toBe(403)
    const entra = await service.entraToken()
    const other = await service.rest(entra, 'POST', `/groups/${GROUP}/reports/${REPORT}/GenerateToken`, {})
    expect(other.statusCode).toBe(400)
  })
})
