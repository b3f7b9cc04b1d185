import { describe, expect, test } from 'vitest'
import { CLAIMS, REPORT, serviceWith, visual } from '../../../test/fixture.ts'
import { parquetOf } from '../../../test/parquet-of.ts'
import { withEveryDate } from '../../embed-page/view/charts/chart-dates.ts'
import type { ChartVisual } from '../../embed-page/view/charts/chart-series.ts'
import { formatOf } from '../../embed-page/view/style/column-format.ts'
import type { EmbeddedReport, PageData, VisualData } from '../../wire/embed-contract.ts'

const day = "date_trunc('day', em)"

/** Two instants on each of three days: the day before, the one that begins at 01:00, and two days later. */
const begin = async (timeZone: string, first: string, zoneHours: number) => {
  const start = Date.parse(`${first}T00:00:00Z`) + zoneHours * 3_600_000
  // The hour of summer time is left out at the second day, so these stay within their days.
  const instants = [-20, -10, 0, 10, 52, 60].map((hours) => start + hours * 3_600_000)
  const values = instants.map((ms, id) => `(${id}, make_timestamptz(${ms} * 1000))`)
  const service = await serviceWith({
    files: {
      'datasets/claims/dataset.json': {
        id: CLAIMS,
        name: 'Eventos',
        timeZone,
        tables: { Eventos: { file: 'eventos.parquet' } },
        roles: [{ name: 'todos', rows: {} }],
      },
      'datasets/claims/eventos.parquet': await parquetOf(
        `SELECT * FROM (VALUES ${values.join(', ')}) t(id, em)`,
      ),
      'workspaces/one/claims.json': {
        id: REPORT,
        name: 'Eventos',
        dataset: CLAIMS,
        pages: [
          {
            name: 'Main',
            displayName: 'Principal',
            visuals: [
              visual('dias', `SELECT ${day} AS dia, count(*) AS n FROM Eventos GROUP BY 1 ORDER BY 1`, {
                type: 'line',
              }),
              visual('horas', "SELECT date_trunc('hour', em) AS hora, id FROM Eventos ORDER BY id"),
              visual('niveis', `SELECT ${day} AS dia, em, id FROM Eventos`, {
                type: 'column',
                drill: {
                  levels: [
                    { column: 'dia', label: 'Dia' },
                    { column: 'em', label: 'Em' },
                    { column: 'id', label: 'Id' },
                  ],
                  values: { n: 'count(*)' },
                },
              }),
            ],
          },
        ],
      },
    },
  })
  const token = await service.embedToken(['todos'])
  const ask = async (body: object = {}): Promise<PageData> => {
    const sent = { page: 'Main', filters: [], ...body }
    const answer = await service.embed(token, 'POST', `/reports/${REPORT}/data`, sent)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return answer.json()
  }
  const described: EmbeddedReport = (await service.embed(token, 'GET', `/reports/${REPORT}`)).json()
  return { ask, described, instants }
}

describe.each([
  ['America/Sao_Paulo', '2018-11-04', 3],
  ['America/Asuncion', '2018-10-07', 4],
  ['America/Santiago', '2019-09-08', 4],
])('in %s, where %s begins at one', { timeout: 120_000 }, (zone, second, hours) => {
  test('a daily line has each day once, and the day opens as others', async () => {
    const { ask, described, instants } = await begin(zone, second, hours)
    const dayAfter = (count: number) =>
      new Date(Date.parse(second) + count * 86_400_000).toISOString().slice(0, 10)
    const { visuals } = await ask()
    const days = visuals.dias as VisualData
    expect(days.rows).toEqual([-1, 0, 2].map((count) => [`${dayAfter(count)}T00:00:00`, 2]))
    const line = described.pages[0]?.visuals[0] as ChartVisual
    expect(formatOf(line, days, 'dia')).toBe('data')
    const drawn = withEveryDate(line, days).data.rows.map(([at]) => String(at).slice(0, 10))
    expect(drawn).toEqual([-1, 0, 1, 2].map(dayAfter))
    // Hours stay what they are.
    expect(visuals.horas?.rows[2]?.[0]).toBe(`${second}T01:00:00`)

    const opened = await ask({ visuals: ['niveis'], drill: { niveis: [`${second}T00:00:00`] } })
    expect(opened.visuals.niveis?.rows).toEqual([
      [`${second}T01:00:00`, 1],
      [`${second}T11:00:00`, 1],
    ])
    // A path of an earlier version, in UTC.
    const old = new Date(instants[2] ?? 0).toISOString()
    const again = await ask({ visuals: ['niveis'], drill: { niveis: [old] } })
    expect(again.visuals.niveis?.rows).toEqual(opened.visuals.niveis?.rows)
    const deeper = await ask({ visuals: ['niveis'], drill: { niveis: [old, old] } })
    expect(deeper.visuals.niveis?.rows).toEqual([[2, 1]])

    const target = { table: 'Eventos', column: 'em' }
    const found = await ask({
      visuals: ['horas'],
      filters: [{ target, operator: 'In', values: [`${second}T00:00:00`] }],
    })
    expect(found.visuals.horas?.rows.map(([, id]) => id)).toEqual([2])
  })
})
