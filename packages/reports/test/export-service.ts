import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { findChromium } from '../src/exports/find-chromium.ts'
import { CLAIMS, claimsReport, GROUP, REPORT, type Service, startService, visual } from './fixture.ts'

export const chromium = await findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? '')

const slicer = {
  name: 'operadoras',
  type: 'slicer',
  title: 'Operadoras',
  layout: { x: 820, y: 0, width: 300, height: 300 },
  slicer: { target: { table: 'Claims', column: 'operadora' } },
}
const byOperator = visual(
  'barras',
  'SELECT operadora, sum(valor) AS total FROM Claims GROUP BY 1 ORDER BY 1',
  {
    type: 'bar',
    title: 'Valor por operadora',
    layout: { x: 410, y: 0, width: 400, height: 300 },
  },
)
const linhas = visual('linhas', "SELECT 'linha-' || id AS linha, operadora FROM Claims ORDER BY id")
const long = visual('longa', "SELECT 'item-' || range || '.' AS item, range AS n FROM range(50)", {
  totals: { n: 'sum(n)' },
})
/** More rows than are rendered initially, and more columns than fit. */
const matrix = visual(
  'matriz',
  `SELECT 'item-' || (a.range + 100) || '.' AS item, 'c' || (b.range + 10) AS coluna, b.range + 100000 AS n
   FROM range(120) a, range(12) b`,
  { type: 'matrix', matrix: { rows: ['item'], columns: ['coluna'], values: { n: 'sum(n)' } } },
)
/** Slightly too tall for the screen: fits with lower rows. */
const fitting = visual('justa', "SELECT 'item-' || range || '.' AS item FROM range(8)", {
  layout: { x: 0, y: 0, width: 400, height: 300 },
})
export const LONG_REPORT = 'e0000000-0000-4000-8000-000000000003'
const longReport = {
  ...claimsReport,
  id: LONG_REPORT,
  pages: [
    { name: 'Main', displayName: 'Principal', visuals: [long] },
    { name: 'Matrix', displayName: 'Matriz', visuals: [matrix] },
    { name: 'Fitting', displayName: 'Justa', visuals: [fitting] },
  ],
}
export const MANY_REPORT = 'e0000000-0000-4000-8000-000000000004'
const manyReport = {
  ...claimsReport,
  id: MANY_REPORT,
  pages: [
    {
      name: 'Main',
      displayName: 'Muitas',
      visuals: [visual('muitas', 'SELECT range AS n FROM range(10001)')],
    },
  ],
}
const report = {
  ...claimsReport,
  notice: 'Dados fictícios.',
  pages: [
    { name: 'Main', displayName: 'Principal', visuals: [linhas, byOperator, slicer] },
    { name: 'Second', displayName: 'Segunda', visuals: [visual('soma', 'SELECT count(*) AS n FROM Claims')] },
  ],
  bookmarks: [
    {
      name: 'so_tres',
      displayName: 'Só a linha 3',
      page: 'Main',
      filters: [{ target: { table: 'Claims', column: 'id' }, operator: 'In', values: [3], filterType: 1 }],
    },
  ],
}
export const FAILING_REPORT = 'e0000000-0000-4000-8000-000000000005'
const failing = {
  ...claimsReport,
  id: FAILING_REPORT,
  pages: [
    {
      name: 'Main',
      displayName: 'Principal',
      // The second one fails while it runs, on the first row.
      visuals: [linhas, visual('falha', "SELECT CAST('x' || id AS INTEGER) AS n FROM Claims")],
    },
  ],
}
export const exportedReports = {
  'workspaces/one/failing.json': failing,
  'workspaces/one/claims.json': report,
  'workspaces/one/long.json': longReport,
  'workspaces/one/many.json': manyReport,
}

/** Sets up a test file with a service that exports these reports, with or without Chromium. */
export const exportService = ({ hasBrowser = chromium !== undefined } = {}) => {
  let embedDir: string
  let service: Service
  let token: string
  /** The browser uses the machine's clock, so the service does too, plus this offset in ms. */
  let later = 0

  beforeAll(async () => {
    embedDir = await mkdtemp(join(tmpdir(), 'reports-embed-'))
    const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))
    if (hasBrowser)
      await build({ configFile, logLevel: 'error', build: { outDir: embedDir, emptyOutDir: true } })
    service = await startService({
      files: exportedReports,
      env: {
        REPORTS_URL: 'https://bi.example.org',
        ...(hasBrowser && chromium && { CHROMIUM_PATH: chromium }),
      },
      options: { embedDir, now: () => Date.now() + later },
    })
    await service.loaded
  })
  beforeEach(async () => {
    later = 0
    token = await service.entraToken()
  })
  afterAll(async () => {
    await service.stop()
    await rm(embedDir, { recursive: true })
  })
  return {
    dataDir: () => service.dataDir,
    inject: (url: string) => service.app.inject({ url, headers: { authorization: `Bearer ${token}` } }),
    rest: (method: 'GET' | 'POST', path: string, body?: object) => service.rest(token, method, path, body),
    anonymous: (method: 'GET' | 'POST', path: string, body?: object) =>
      service.rest(undefined, method, path, body),
    ask: (body: object, path = of(REPORT)) => service.rest(token, 'POST', `${path}/ExportTo`, body),
    /** Shifts the service's clock and signs in again. */
    advance: async (ms: number): Promise<void> => {
      later = ms
      token = await service.entraToken()
    },
  }
}

export const of = (report: string, group = GROUP) => `/groups/${group}/reports/${report}`
export const identity = (roles: string[]) => ({ username: 'ana@x.br', roles, datasets: [CLAIMS] })
export const everything = { identities: [identity(['todos'])] }
export const order = (format: string, powerBIReportConfiguration: object) => ({
  format,
  powerBIReportConfiguration,
})
