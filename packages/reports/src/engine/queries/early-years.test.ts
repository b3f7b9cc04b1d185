import { describe, expect, test } from 'vitest'
import { CLAIMS, REPORT, serviceWith, visual } from '../../../test/fixture.ts'
import { parquetOf } from '../../../test/parquet-of.ts'
import { startOfDay, wallClock, wallText } from './wall-clock.ts'
import { withWholeDays } from './whole-days.ts'

/* .NET writes 0001-01-01 where a date is missing, and a typing error makes 0024 of 2024. */

const ZONE = 'America/Sao_Paulo'
const ORDINARY = '2018-11-04T01:00:00'

test.each([
  ['0001-01-01T00:00:00Z', '0001-12-31 (BC)T20:53:32'],
  ['0024-03-05T10:00:00Z', '0024-03-05T06:53:32'],
  ['0999-12-31T23:00:00Z', '0999-12-31T19:53:32'],
  ['2024-01-01T00:00:00Z', '2023-12-31T21:00:00'],
])('%s is %s in São Paulo', (instant, local) => {
  expect(wallText(wallClock(Date.parse(instant), ZONE))).toBe(local)
})

test.each(['0001-01-01', '0001-01-02', '0024-03-05', '0999-12-31'])('%s begins at midnight', (day) => {
  expect(startOfDay(day, ZONE)).toBe(`${day}T00:00:00`)
})

test.each(['0001-12-31 (BC)T20:53:32', '0024-03-05T06:53:32', '10000-01-01T08:59:59', 'infinity'])(
  'a column with %s keeps its times',
  (early) => {
    const rows = [[early], [ORDINARY]]
    expect(withWholeDays(rows, [{ type: 'TIMESTAMP WITH TIME ZONE' }], ZONE)).toEqual(rows)
  },
)

const EARLY = `SELECT * FROM (VALUES (1, TIMESTAMPTZ '0001-01-01T00:00:00Z'), (2, TIMESTAMPTZ '0024-03-05T10:00:00Z'),
  (3, TIMESTAMPTZ '2024-05-01T15:00:00Z'), (4, NULL)) t(id, em)`

const started = async () => {
  const service = await serviceWith({
    files: {
      'datasets/claims/dataset.json': {
        id: CLAIMS,
        name: 'Eventos',
        tables: { Eventos: { file: 'eventos.parquet' } },
        roles: [{ name: 'todos', rows: {} }],
      },
      'datasets/claims/eventos.parquet': await parquetOf(EARLY),
      'workspaces/one/claims.json': {
        id: REPORT,
        name: 'Eventos',
        dataset: CLAIMS,
        pages: [
          {
            name: 'Main',
            displayName: 'Principal',
            visuals: [
              visual('linhas', 'SELECT em, id FROM Eventos ORDER BY em'),
              visual('primeiro', 'SELECT min(em) AS em FROM Eventos', { type: 'card' }),
            ],
          },
        ],
      },
    },
  })
  const token = await service.embedToken(['todos'])
  return (values: string[] = []) => {
    const target = { table: 'Eventos', column: 'em' }
    const filters = values.length > 0 ? [{ target, operator: 'In', values }] : []
    return service.embed(token, 'POST', `/reports/${REPORT}/data`, { page: 'Main', filters })
  }
}

describe('the visuals of a column with early years', () => {
  test('the visuals of a column with early years show them, and filters find them', {
    timeout: 120_000,
  }, async () => {
    const ask = await started()
    const first = await ask()
    expect(first.statusCode, first.body).toBe(200)
    const { linhas, primeiro } = first.json().visuals
    expect(linhas.rows).toEqual([
      ['0001-12-31 (BC)T20:53:32', 1],
      ['0024-03-05T06:53:32', 2],
      ['2024-05-01T12:00:00', 3],
      [null, 4],
    ])
    expect(primeiro.rows).toEqual([['0001-12-31 (BC)T20:53:32']])
    const ids = async (value: string) => {
      const answer = await ask([value])
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json().visuals.linhas.rows.map(([, id]: number[]) => id)
    }
    for (const [em, id] of linhas.rows.slice(0, 3)) expect(await ids(em)).toEqual([id])
    // The instants as earlier versions and Power BI send them, and a midnight that no row has.
    expect(await ids('0001-01-01T00:00:00Z')).toEqual([1])
    expect(await ids('0024-03-05T10:00:00Z')).toEqual([2])
    expect(await ids('0001-01-01T00:00:00')).toEqual([])
    // A day that does not exist is the mistake of the caller.
    for (const wrong of ['2024-13-45T00:00:00', '0001-02-30 (BC)T00:00:00', '0000-01-01T00:00:00'])
      expect([wrong, (await ask([wrong])).statusCode]).toEqual([wrong, 400])
  })
})
