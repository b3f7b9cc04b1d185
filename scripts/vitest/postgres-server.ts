import type { TestProject } from 'vitest/node'
import { startPostgres } from '../machines/postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the run's PostgreSQL server; only in the projects that use this setup. */
    testDatabaseUrl: string
  }
}

/** Starts one PostgreSQL server for the run; each test file creates its own database on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  project.provide('testDatabaseUrl', server.url)
  console.log(`${project.name}: PostgreSQL ${server.version}`)
  return () => server.stop()
}
