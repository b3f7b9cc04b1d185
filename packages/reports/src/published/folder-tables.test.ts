import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PLAIN, PLAIN_REPORT, startService } from '../../test/fixture.ts'
import { replacingCalls } from '../../test/replacing.ts'
import { workbookOf } from '../../test/workbooks.ts'

/* A file replaces the rows of a table that a folder defines. */

it('is checked with the clock of the report, and named after the file before', {
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
