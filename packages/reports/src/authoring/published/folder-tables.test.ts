import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PLAIN, PLAIN_REPORT, startService } from '../../../test/fixture.ts'
import { parquetOf } from '../../../test/parquet-of.ts'
import { replacingCalls } from '../../../test/replacing.ts'
import { workbookOf } from '../../../test/workbooks.ts'

/* A file replaces the rows of a table that a folder defines. */

test('a file is checked with the clock of the report, and named after the file before', {
  timeout: 300_000,
}, async () => {
  const rows = [
    ['Unidade', 'Momento'],
    ['A', '2026-03-05T14:30:00Z'],
  ]
  const files = {
    'datasets/plain/dataset.json': {
      id: PLAIN,
      name: 'Simples',
      timeZone: 'America/Manaus',
      tables: { Claims: { file: 'c.xlsx' } },
    },
    'datasets/plain/c.xlsx': workbookOf({ sheets: [{ rows }] }),
  }
  const service = await startService({ files })
  await service.loaded
  const { draft, replace } = await replacingCalls(service)
  const id = await draft('Unidade;Momento\nA;2026-03-05T14:30:00Z\n')
  const checked = (await replace(PLAIN_REPORT, id, 'Claims', '/check')).json()
  expect(checked).toMatchObject({ faults: [] })
  expect(checked.preview[0][1]).toContain('10:30')
  expect((await replace(PLAIN_REPORT, id, 'Claims')).json()).toMatchObject({ faults: [] })
  const text = await readFile(join(service.dataDir, 'datasets/plain/dataset.json'), 'utf8')
  expect(JSON.parse(text).tables.Claims).toEqual({ file: 'c.parquet' })
  await service.stop()
})

/** Numbers as texts, which stay texts, beside a number. */
const ROWS = `SELECT 'A' AS Unidade, '1.234' AS Conta, 3.25::DOUBLE AS Peso
  UNION ALL SELECT 'B', '1.500', 1.5`

/* A Parquet file has no delimiter, so nothing says which mark its later data have. */
test('the service reads data for a Parquet as for one that the page published', {
  timeout: 300_000,
}, async () => {
  const bytes = Buffer.from(await parquetOf(ROWS))
  const files = {
    'datasets/plain/dataset.json': { id: PLAIN, name: 'Simples', tables: { Claims: { file: 'c.parquet' } } },
    'datasets/plain/c.parquet': bytes,
  }
  const service = await startService({ files })
  await service.loaded
  const { draft, post, replace } = await replacingCalls(service)
  const sent = await draft(bytes, 'Claims.parquet')
  const { report } = (await post(`/drafts/${sent}/read`, { reportName: 'Claims' })).json()
  const body = { workspace: { name: 'Área' }, report: JSON.stringify(report), author: 'Ana' }
  const { reportId, faults } = (await post(`/drafts/${sent}/publish`, body)).json()
  expect(faults).toEqual([])
  const check = async (id: string, text: string) => {
    const checked = (await replace(id, await draft(text), 'Claims', '/check')).json()
    return { faults: checked.faults, preview: checked.preview, reading: checked.reading }
  }
  for (const [text, expected] of [
    ['Unidade;Conta;Peso\nA;1.234;3.250\nB;1.500;1.500\n', IN_DOUBT],
    ['Unidade,Conta,Peso\nA,1.234,3.250\nB,1.500,1.500\n', IN_DOUBT],
    [
      'Unidade;Conta;Peso\nA;1.234;3.25\nB;1.500;1.5\n',
      {
        faults: [],
        preview: [
          ['A', '1.234', '3.25'],
          ['B', '1.500', '1.5'],
        ],
      },
    ],
  ] as const) {
    const asFolder = await check(PLAIN_REPORT, text)
    expect(asFolder, text).toMatchObject(expected)
    expect(asFolder, text).toEqual(await check(reportId, text))
  }
  await service.stop()
})

const IN_DOUBT = { faults: [expect.stringContaining('a coluna Peso pode ser lida de duas formas')] }
