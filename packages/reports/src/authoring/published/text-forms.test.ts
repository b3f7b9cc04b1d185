import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLAIN, PLAIN_REPORT, startService } from '../../../test/fixture.ts'
import { parquetOf } from '../../../test/parquet-of.ts'
import { type Begun, replacingCalls } from '../../../test/replacing.ts'
import { type TestCell, workbookOf } from '../../../test/workbooks.ts'

/* A published column of texts keeps the form in which cells of spreadsheets were written. */

/** Several publications, each of which checks the report on its data. */
const LONG = { timeout: 240_000 }
const [DAY, PERCENT] = [1, 2]
const MARCH_5: TestCell = { value: 46_086, style: DAY }

/** Rows of an earlier version, which kept no forms. */
const OLD = `SELECT * FROM (VALUES
  ('A', '2026-03-05', '1.5', '05/03/2026', '05/03/2026', 'x'),
  ('B', '2026-03-06', 'true', '1,5', '2026-03-06', 'y'),
  ('C', 'sem dia', '0.07', '7%', '2026-03-07', 'z')) t(Unidade, Dia, Valor, Mostrado, Duas, Livre)`
const HEADINGS = ['Unidade', 'Dia', 'Valor', 'Mostrado', 'Duas', 'Livre']

let begun: Begun
beforeAll(async () => {
  const files = {
    'datasets/plain/dataset.json': { id: PLAIN, name: 'Simples', tables: { Claims: { file: 'c.parquet' } } },
    'datasets/plain/c.parquet': await parquetOf(OLD),
  }
  const service = await startService({ files })
  await service.loaded
  begun = await replacingCalls(service)
}, 120_000)
afterAll(() => begun.service.stop())

const sheet = (...rows: TestCell[][]) =>
  workbookOf({ sheets: [{ rows: [HEADINGS, ...rows] }], formats: ['dd/mm/yyyy', '0%'] })
const replace = async (bytes: string | Buffer, name = 'novo.xlsx') =>
  (await begun.replace(PLAIN_REPORT, await begun.draft(bytes, name), 'Claims')).json()

test(
  'the form of a text holds for the files of an earlier version, and for those after it',
  LONG,
  async () => {
    const share: TestCell = { value: 0.07, style: PERCENT }
    const single = sheet(
      ['A', MARCH_5, 1.5, MARCH_5, MARCH_5, 'x'],
      ['B', MARCH_5, 2.5, MARCH_5, MARCH_5, 'y'],
    )
    const mixed = sheet(['A', MARCH_5, true, share, MARCH_5, MARCH_5], ['B', 'sem dia', share, 'x', 'y', 1.5])
    const first = await replace(single)
    expect(first).toMatchObject({
      faults: [],
      changes: [
        'a coluna Duas tem textos de duas formas, como 2026-03-05 e 05/03/2026: as datas e os números da planilha ficam como 2026-03-05 e 1.5. Confira os filtros, marcadores e regras que os comparam',
      ],
      preview: [
        ['A', '2026-03-05', '1.5', '05/03/2026', '2026-03-05', 'x'],
        ['B', '2026-03-05', '2.5', '05/03/2026', '2026-03-05', 'y'],
      ],
    })
    for (const _time of ['once', 'twice'])
      expect(await replace(mixed)).toMatchObject({
        faults: [],
        changes: [],
        preview: [
          ['A', '2026-03-05', 'true', '7%', '2026-03-05', '05/03/2026'],
          ['B', 'sem dia', '0.07', 'x', 'y', '1,5'],
        ],
      })
    // A CSV has texts only: it decides the form of each column again.
    const csv = `${HEADINGS.join(';')}\nA;05/03/2026;x;2026-03-05;x;x\nB;06/03/2026 x;y;2026-03-06;y;y\n`
    expect(await replace(csv, 'novo.csv')).toMatchObject({ faults: [] })
    expect(await replace(single)).toMatchObject({
      faults: [],
      changes: [],
      preview: [['A', '05/03/2026', '1,5', '2026-03-05', '05/03/2026', 'x'], expect.anything()],
    })
  },
)
