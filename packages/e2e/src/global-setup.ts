import type { TestProject } from 'vitest/node'
import { startDemo } from './demo.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Addresses of the demo that the journeys share. */
    portal: string
    reports: string
    /** Its data folder: whoever starts another demo need not make its reports anew. */
    demoData: string
  }
}

/** One demo for all journeys, started as the README says. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const demo = await startDemo()
  project.provide('portal', demo.portal)
  project.provide('reports', demo.reports)
  project.provide('demoData', demo.dataDir)
  return demo.stop
}
