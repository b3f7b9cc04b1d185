import { createDatabaseProcess } from '../engine/data/database-process.ts'
import { closeCatalog, loadCatalog } from '../engine/loading/load-catalog.ts'

/** The service loader's warnings about a folder, and the usable definition files. */
type TreeCheck = { warnings: string[]; files: string[] }
/** `only`: ids of the datasets to read; other datasets and their reports only reserve their ids. */
type TreeQuestion = { dataDir: string; memoryMegabytes: number; only: string[] }

const QUERY_MS = 10_000

/** Loads a folder like the service. */
export async function checkTree({ dataDir, memoryMegabytes, only }: TreeQuestion): Promise<TreeCheck> {
  const databaseProcess = createDatabaseProcess({ memoryMegabytes })
  try {
    const catalog = await loadCatalog({
      dataDir,
      open: () => databaseProcess.open({ memoryMegabytes, timeoutMs: QUERY_MS }),
      only: new Set(only),
      quotesData: true,
      compares: true,
    })
    await closeCatalog(catalog)
    return { warnings: catalog.warnings, files: [...catalog.files] }
  } finally {
    await databaseProcess.close()
  }
}
