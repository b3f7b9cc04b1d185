import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { startDemo } from './demo.ts'
import { type StockService, startStockService } from './stock-service.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Addresses of the demo that the journeys share. */
    portal: string
    reports: string
    /** Its folder: what it sends by e-mail is there. */
    dataDir: string
    /** The folder of a demo that nobody has used yet: whoever starts another need not make its data anew. */
    demoData: string
    /** The report service as Microsoft's unmodified client meets it. */
    stock: StockService
  }
}

/** One demo for all journeys: made as the README says, kept aside as it then was, and started once more from a copy; its reports
 * once more for Microsoft's unmodified client. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { dataDir, end } = await startDemo()
  await end()
  const demo = await startDemo({ COMPANY_NAME: 'Rede Horizonte' }, dataDir)
  const stock = await startStockService(dataDir)
  project.provide('portal', demo.portal)
  project.provide('reports', demo.reports)
  project.provide('dataDir', demo.dataDir)
  project.provide('demoData', dataDir)
  project.provide('stock', stock.service)
  return async () => {
    await stock.stop()
    await demo.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
