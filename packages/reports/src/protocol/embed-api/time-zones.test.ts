import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { CLAIMS, faultsOf, REPORT, serviceWith, visual } from '../../../test/fixture.ts'
import { parquetOf } from '../../../test/parquet-of.ts'
import { readWorkbook } from '../../../test/read-workbook.ts'
import { initialState } from '../../embed-page/session/load-options.ts'
import { columnFormat, formatOf } from '../../embed-page/view/style/column-format.ts'
import { formatCell } from '../../embed-page/view/style/format.ts'
import { dataCsv } from '../../embed-page/view/tables/data-csv.ts'
import { collectWorkbook } from '../../exports/workbook/describe-workbook.ts'
import { writeXlsx } from '../../exports/workbook/write-xlsx.ts'
import type { Cell, EmbeddedReport, PageData, VisualData } from '../../wire/embed-contract.ts'

const dataset = (more: object) => ({
  id: CLAIMS,
  name: 'Eventos',
  tables: { Eventos: { file: 'eventos.parquet' } },
  roles: [{ name: 'todos', rows: {} }],
  ...more,
})
const report = {
  id: REPORT,
  name: 'Eventos',
  dataset: CLAIMS,
  pages: [
    {
      name: 'Main',
      displayName: 'Principal',
      visuals: [
        visual('linhas', 'SELECT id, em FROM Eventos ORDER BY id'),
        visual(
          'dias',
          "SELECT date_trunc('day', em) AS dia, list(id)::VARCHAR AS ids FROM Eventos GROUP BY dia",
          {
            type: 'column',
          },
        ),
        visual('hoje', 'SELECT current_date AS dia, count(*) AS n FROM Eventos', { type: 'card' }),
      ],
    },
  ],
}

/** Instants around midnight of several zones, and in the hours that summer time repeats or leaves out. */
const instantsOf = (seed: number) => [
  ...['2024-05-01T02:59:59Z', '2024-05-01T03:00:00Z', '2018-11-04T02:59:59Z', '2018-11-04T03:00:00Z'].map(
    (text) => Date.parse(text),
  ),
  ...['2018-02-18T01:30:00Z', '2018-02-18T02:30:00Z', '2024-04-30T15:00:00Z'].map((text) => Date.parse(text)),
  ...fc
    .sample(fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2026, 0) }), { numRuns: 20, seed })
    .map((ms) => ms - (ms % 1000)),
]

const serviceIn = async (timeZone: string | undefined, instants: number[]) => {
  const rows = instants.map((ms, id) => `(${id}, make_timestamptz(${ms} * 1000))`)
  const service = await serviceWith({
    files: {
      'datasets/claims/dataset.json': dataset(timeZone === undefined ? {} : { timeZone }),
      'datasets/claims/eventos.parquet': await parquetOf(
        `SELECT * FROM (VALUES ${rows.join(', ')}) t(id, em)`,
      ),
      'workspaces/one/claims.json': report,
    },
  })
  const token = await service.embedToken(['todos'])
  const ask = async (body: object = {}): Promise<PageData> => {
    const answer = await service.embed(token, 'POST', `/reports/${REPORT}/data`, {
      page: 'Main',
      filters: [],
      ...body,
    })
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return answer.json()
  }
  const described: EmbeddedReport = (await service.embed(token, 'GET', `/reports/${REPORT}`)).json()
  return { service, ask, described }
}

const rowsOf = ({ visuals }: PageData, name: string): Cell[][] => visuals[name]?.rows ?? []
const iso = (brazilian: string) => brazilian.slice(0, 10).split('/').toReversed().join('-')

describe.each(['UTC', 'Asia/Tokyo', 'America/Noronha'])('in a process on the clock of %s', (processZone) => {
  test.each<[string, string | undefined]>([
    ['America/Sao_Paulo', undefined],
    ['America/Rio_Branco', 'America/Rio_Branco'],
  ])(
    'an instant is on one day of %s in chart, table, filters, CSV and XLSX',
    async (zone, declared) => {
      vi.stubEnv('TZ', processZone)
      onTestFinished(() => void vi.unstubAllEnvs())
      expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(processZone)
      const instants = instantsOf(processZone.length)
      const { service, ask, described } = await serviceIn(declared, instants)
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
      const days = instants.map((ms) => clock.format(ms))

      const page = await ask()
      const lines = page.visuals.linhas as VisualData
      const [shown] = described.pages[0]?.visuals ?? []
      if (!shown) throw new Error('the page has no visual')
      // The table.
      const format = formatOf(shown, lines, 'em')
      expect(lines.rows.map(([, em]) => iso(formatCell(em, format)))).toEqual(days)
      // The chart, whose days have no time of day.
      const charted = new Map<string, string>()
      const dayFormat = columnFormat('timestamp', undefined, () => rowsOf(page, 'dias').map(([day]) => day))
      for (const [day = null, ids] of rowsOf(page, 'dias'))
        for (const id of JSON.parse(String(ids))) charted.set(String(id), iso(formatCell(day, dayFormat)))
      expect(instants.map((_, id) => charted.get(String(id)))).toEqual(days)
      // The CSV file.
      const csv = dataCsv(shown, lines, lines.rows, {}).trim().split('\r\n').slice(1)
      expect(csv.map((line) => iso(line.split(';')[1] ?? ''))).toEqual(days)
      // The XLSX file.
      const workbook = collectWorkbook(described)
      workbook.add({ state: initialState(described, {}), result: { linhas: lines } })
      const bytes = writeXlsx(
        workbook.describe({ person: undefined, dataTime: undefined, created: Date.UTC(2026, 0) }),
      )
      const sheets = await readWorkbook(bytes)
      const cells = sheets.linhas?.slice(1).map(([, em]) => em as Date)
      expect(cells?.map((cell) => cell.toISOString().slice(0, 10))).toEqual(days)
      expect(sheets.Sobre?.filter(([name]) => name === 'Fuso horário dos dados')).toEqual(
        declared === undefined
          ? []
          : [['Fuso horário dos dados', declared]].map((row) => expect.arrayContaining(row)),
      )
      // A filter by the day, and one that is relative to now.
      const target = { table: 'Eventos', column: 'em' }
      for (const [id, day] of days.entries()) {
        const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
        const conditions = [
          { operator: 'GreaterThanOrEqual', value: day },
          { operator: 'LessThan', value: next },
        ]
        const within = await ask({
          visuals: ['linhas'],
          filters: [{ target, logicalOperator: 'And', conditions }],
        })
        const sameDay = days.flatMap((other, at) => (other === day ? [at] : []))
        expect(rowsOf(within, 'linhas').map(([at]) => at)).toEqual(sameDay)
        service.clock.now = instants[id] ?? 0
        const today = await ask({ visuals: ['linhas'], filters: [{ target, operator: 1, timeUnitType: 0 }] })
        expect(rowsOf(today, 'linhas').map(([at]) => at)).toEqual(sameDay)
      }
      // The cell of the table, as a filter.
      for (const [id, em] of lines.rows) {
        const same = await ask({ visuals: ['linhas'], filters: [{ target, operator: 'In', values: [em] }] })
        expect(rowsOf(same, 'linhas').map(([at]) => at)).toContain(id)
      }
    },
    120_000,
  )
})

test('current_date is the day of the dataset', async () => {
  const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
  const days = await Promise.all(
    zones.map(async (zone) => {
      const { ask } = await serviceIn(zone, [0])
      return rowsOf(await ask({ visuals: ['hoje'] }), 'hoje')[0]?.[0]
    }),
  )
  // 25 hours apart.
  expect(Date.parse(String(days[0])) - Date.parse(String(days[1]))).toBeGreaterThanOrEqual(86_400_000)
})

test.each(['America/Sao Paulo', 'Mars/Olympus', '-03:00', ''])(
  'zoneName refuses the time zone %j',
  async (timeZone) => {
    const faults = await faultsOf({
      'datasets/claims/dataset.json': dataset({ timeZone }),
      'datasets/claims/eventos.parquet': await parquetOf('SELECT 1 AS id'),
      'workspaces/one/claims.json': report,
    })
    expect(faults.join('\n')).toContain(
      'timeZone: este fuso horário não existe: use um nome como America/Manaus',
    )
  },
)
