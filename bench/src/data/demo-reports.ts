import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDemoData } from '@bi-manager/reports/demo/generate'

/** A report of the demo, and whose rows its readers see. */
export interface DemoPage {
  title: string
  file: string
  workspaceId: string
  reportId: string
  datasetId: string
  page: string
  /** The dataset has roles: its readers need an identity. */
  isRestricted: boolean
}

const FILES = [
  'gestao-de-saude/sinistralidade',
  'populacao/perfil-populacional',
  'financeiro/custo-por-operadora',
  'gestao-de-saude/internacoes',
]
const RESTRICTED = '3b6f1d2e-58a4-4c0e-9a51-7d0c1e5a1002'
/** Listed in the demo's table AcessoTotal, so sees all rows. */
export const READER = { username: 'ana@demo.local', roles: ['Operadora'] }

/** Ensures the demo's data in the temporary folder, and returns first pages of four reports. */
export const ensureDemoPages = async (): Promise<{ folder: string; pages: DemoPage[] }> => {
  const folder = join(tmpdir(), 'bi-manager-bench-demo')
  await ensureDemoData(folder)
  const read = async (file: string) => JSON.parse(await readFile(join(folder, 'workspaces', file), 'utf8'))
  const pages = await Promise.all(
    FILES.map(async (file) => {
      const report = await read(`${file}.json`)
      const workspace = await read(join(file, '../workspace.json'))
      return {
        title: String(report.name),
        file,
        workspaceId: String(workspace.id),
        reportId: String(report.id),
        datasetId: String(report.dataset),
        page: String(report.pages[0].name),
        isRestricted: report.dataset === RESTRICTED,
      }
    }),
  )
  return { folder, pages }
}

const AGE_GROUPS = '00-18 19-23 24-28 29-33 34-38 39-43 44-48 49-53 54-58 59+'.split(' ')
const PLANS = [
  'Nacional Essencial',
  'Nacional Executivo',
  'Nacional Plus',
  'Regional Apartamento',
  'Regional Enfermaria',
]

/** Returns a choice of age groups and plans in the filter panel; each number makes another one. */
export const filtersOf = (number: number) => [
  inColumn('faixa_etaria', AGE_GROUPS, 1 + (number % (2 ** AGE_GROUPS.length - 1))),
  inColumn('plano', PLANS, 1 + (Math.floor(number / 1023) % (2 ** PLANS.length - 1))),
]

/** The bits of `chosen` say which values. */
const inColumn = (column: string, values: string[], chosen: number) => ({
  $schema: 'http://powerbi.com/product/schema#basic',
  target: { table: 'Sinistralidade', column },
  filterType: 1 as const,
  operator: 'In' as const,
  values: values.filter((_value, bit) => chosen & (1 << bit)),
})
