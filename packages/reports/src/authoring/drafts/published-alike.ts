import type { Catalog } from '../../engine/data/catalog.ts'
import { digestOf } from './repeated-rows.ts'

/** Published tables with the columns of a draft that are compared with it. */
const MAX_COMPARED = 20
const MAX_NAMED = 3
const list = new Intl.ListFormat('pt-BR')

/** Returns a sentence that names the published reports with the rows of a draft; undefined without any. */
export const publishedAlike = async (
  { datasets, reports }: Pick<Catalog, 'datasets' | 'reports'>,
  names: string[],
  digest: string,
): Promise<string | undefined> => {
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  const candidates = [...datasets.values()].flatMap((dataset) =>
    [...dataset.tables.values()]
      .filter(
        ({ columns }) => columns.size === wanted.size && [...columns.keys()].every((one) => wanted.has(one)),
      )
      .map((table) => ({ dataset, table })),
  )
  const found = new Set<string>()
  for (const { dataset, table } of candidates.slice(0, MAX_COMPARED)) {
    const columns = [...table.columns.values()].map(({ name }) => name)
    if ((await digestOf(dataset.database, table.source, columns)) !== digest) continue
    for (const report of reports.values()) if (report.dataset === dataset) found.add(report.definition.name)
  }
  if (found.size === 0) return undefined
  const shown = [...found].slice(0, MAX_NAMED).map((name) => `“${name}”`)
  const more = found.size - shown.length
  const reportNames = list.format(more > 0 ? [...shown, `mais ${more}`] : shown)
  return found.size === 1
    ? `o relatório ${reportNames} já tem estes mesmos dados. Para trocar os dados dele, use Substituir dados`
    : `os relatórios ${reportNames} já têm estes mesmos dados. Para trocar os dados deles, use Substituir dados`
}
