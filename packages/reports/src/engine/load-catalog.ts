import type { Catalog, Dataset, Report } from './catalog.ts'
import type { Database } from './database.ts'
import { type CopiedDataset, copyTables, loadDataset } from './load-dataset.ts'
import { loadReport } from './load-report.ts'
import { readDefinitions } from './read-definitions.ts'

/**
 * Reads the data folder into the database and seals it. What cannot be used is left out with a warning that names file
 * and place; the rest is served.
 */
export async function loadCatalog(database: Database, dataDir: string): Promise<Catalog> {
  const warnings: string[] = []
  const warn = (sentence: string) => warnings.push(sentence)
  const files = await readDefinitions(dataDir, warn)

  const copied: CopiedDataset[] = []
  for (const [index, file] of files.datasets.entries()) {
    const { id } = file.definition
    const isTaken = copied.some((other) => other.file.definition.id.toLowerCase() === id.toLowerCase())
    if (isTaken) warn(`${file.path}: id: já usado por outro conjunto de dados`)
    else copied.push(await copyTables(database, file, `dataset${index}`))
  }
  // From here on runs SQL that authors wrote: no file, no network, no settings.
  await database.seal()

  const datasets = new Map<string, Dataset>()
  for (const one of copied) {
    const dataset = await loadDataset(database, one, warn)
    if (dataset) datasets.set(dataset.id, dataset)
  }
  const catalog: Catalog = { workspaces: new Map(), reports: new Map(), datasets, warnings }
  for (const { path, definition, reports } of files.workspaces) {
    const id = definition.id.toLowerCase()
    if (catalog.workspaces.has(id)) {
      warn(`${path}: id: já usado por outro workspace`)
      continue
    }
    const loaded: Report[] = []
    for (const file of reports) {
      const dataset = datasets.get(file.definition.dataset.toLowerCase())
      if (!dataset)
        warn(`${file.path}: dataset: ${file.definition.dataset} não existe ou não pôde ser carregado`)
      else if (catalog.reports.has(file.definition.id.toLowerCase()))
        warn(`${file.path}: id: já usado por outro relatório`)
      else {
        const report = await loadReport(database, file, id, dataset, warn)
        if (!report) continue
        loaded.push(report)
        catalog.reports.set(report.id, report)
      }
    }
    catalog.workspaces.set(id, { id, name: definition.name, reports: loaded })
  }
  return catalog
}
