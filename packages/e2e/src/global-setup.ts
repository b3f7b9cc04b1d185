import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { startDemo } from './services/demo.ts'
import { type StockService, startStockService } from './stock/stock-service.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Addresses of the demo shared by the journeys. */
    portal: string
    reports: string
    /** Its data folder, which contains the outbox. */
    dataDir: string
    /** Data folder of an unused demo, to copy instead of generating the data again. */
    demoData: string
    /** The report service as Microsoft's unmodified client reaches it. */
    stock: StockService
  }
}

/** Starts the journeys' shared demo, from a fresh copy, and the unmodified client's service. */
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
