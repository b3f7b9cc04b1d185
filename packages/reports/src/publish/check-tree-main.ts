import { openDatabase } from '../engine/database.ts'
import { closeCatalog, loadCatalog } from '../engine/load-catalog.ts'
import type { TreeMessage, TreeQuestion } from './check-tree.ts'

/* The child process of `checkTree`. It exits with its parent. */

const QUERY_MS = 10_000

process.once('disconnect', () => process.exit(1))
process.once('message', async ({ dataDir, memoryMegabytes, only }: TreeQuestion) => {
  const tell = (message: TreeMessage) =>
    new Promise<void>((resolve) => process.send?.(message, () => resolve()))
  const catalog = await loadCatalog({
    dataDir,
    open: () => openDatabase({ memoryMegabytes, timeoutMs: QUERY_MS }),
    only: new Set(only),
    quotesData: true,
    onReading: (path) => tell({ reading: path }),
  })
  await tell({ found: { warnings: catalog.warnings, files: [...catalog.files] } })
  await closeCatalog(catalog)
  process.exit(0)
})
