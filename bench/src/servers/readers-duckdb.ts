import { openDatabase } from '@bi-manager/reports/engine/data/database/database'
import { loadCatalog } from '@bi-manager/reports/engine/loading/load-catalog'
import { queryVisual, type Statement } from '@bi-manager/reports/engine/queries/query'
import { resolveFilter } from '@bi-manager/reports/engine/queries/resolved-filters'
import { type DemoPage, filtersOf, READER } from '../data/demo-reports.ts'

/*
 * The comparison of `bench -- readers`: the statements of report pages in DuckDB alone, one after
 * the other. Answers each message with the processor time of its pages.
 */

export interface Asked {
  page: DemoPage
  /** Numbers of the filters, one a page. */
  numbers: number[]
}

const limits = { memoryMegabytes: 1024, timeoutMs: 60_000 }
const [folder = ''] = JSON.parse(process.argv[2] ?? '[]') as string[]
const catalog = await loadCatalog({ dataDir: folder, open: () => openDatabase(limits) })

/** Returns what the service would ask the database for a page. */
const statementsOf = async ({ reportId, page }: DemoPage, number: number) => {
  const report = catalog.reports.get(reportId)
  const visuals = report?.pages.find(({ definition }) => definition.name === page)?.visuals ?? []
  if (!report || visuals.length === 0) throw new Error(`the report ${reportId} has no page ${page}`)
  const statements: Statement[] = []
  const note = async (write: () => Statement) => {
    statements.push(write())
    return []
  }
  const filters = filtersOf(number).map((filter) => resolveFilter(report.dataset, filter, Date.now()))
  for (const visual of visuals) {
    const reader = report.dataset.definition.requiresIdentity ? READER : undefined
    await queryVisual(note, report.dataset, visual, reader, { filters, drillPath: [] })
  }
  return { statements, database: report.dataset.database }
}

process.on('message', async ({ page, numbers }: Asked) => {
  const asked = await Promise.all(numbers.map((number) => statementsOf(page, number)))
  const before = process.cpuUsage()
  for (const { statements, database } of asked)
    for (const { text, values } of statements) await database.query(text, values)
  const { user, system } = process.cpuUsage(before)
  process.send?.((user + system) / 1000)
})
process.once('disconnect', () => process.exit(0))
process.send?.('ready')
