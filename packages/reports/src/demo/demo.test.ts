import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDrawing } from '../../test/spoken.ts'
import type { Catalog, Page, Report, Visual } from '../engine/data/catalog.ts'
import { openDatabase } from '../engine/data/database/database.ts'
import { closeCatalog, loadCatalog } from '../engine/loading/load-catalog.ts'
import type { ResolvedFilter } from '../engine/queries/filters.ts'
import { queryVisual, type RunStatement } from '../engine/queries/query.ts'
import type { Identity } from '../http/tokens.ts'
import type { VisualData } from '../wire/embed-contract.ts'
import { demoCatalogue } from './catalogue.ts'
import { ensureDemoData } from './generate.ts'
import { OPERADORAS } from './market.ts'

const ANA: Identity = { datasets: [], username: 'ana@demo.local', roles: ['Operadora'], customData: null }
const HELENA: Identity = {
  datasets: [],
  username: 'helena@demo.local',
  roles: ['Operadora'],
  customData: 'PARANA_CLINICAS',
}

let home = ''
let folder = ''
let catalog: Catalog

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'demo-'))
  folder = join(home, 'reports')
  // The folder already contains other files.
  await mkdir(folder)
  await writeFile(join(folder, 'service.json'), '{}', { mode: 0o600 })
  await ensureDemoData(folder)
  catalog = await loadCatalog({
    dataDir: folder,
    open: () => openDatabase({ memoryMegabytes: 512, timeoutMs: 20_000 }),
  })
}, 60_000)

afterAll(async () => {
  await closeCatalog(catalog)
  await rm(home, { recursive: true })
})

describe("the demo's definitions", () => {
  test("the demo's definitions are all accepted by the service without a warning", () => {
    expect(catalog.warnings).toEqual([])
    expect(catalog.workspaces.size).toBe(4)
    expect(catalog.reports.size).toBe(10)
  })

  test("the demo's definitions state that the data is fictitious, on two to four pages each", () => {
    for (const { definition, pages } of catalog.reports.values()) {
      expect(definition.notice).toBe('Dados fictícios para demonstração.')
      expect([2, 3, 4], definition.name).toContain(pages.length)
      expect(definition.filterPane.length, definition.name).toBeGreaterThanOrEqual(4)
      expect(definition.filterPane.length, definition.name).toBeLessThanOrEqual(6)
    }
  })

  test("the demo's definitions place every visual inside the margins, without overlap", () => {
    for (const { visuals } of pages()) {
      const boxes = visuals.map(({ definition }) => ({ name: definition.name, ...definition.layout }))
      for (const [index, box] of boxes.entries()) {
        expect(box.x, box.name).toBeGreaterThanOrEqual(24)
        expect(box.y, box.name).toBeGreaterThanOrEqual(24)
        expect(box.x + box.width, box.name).toBeLessThanOrEqual(1256)
        expect(box.y + box.height, box.name).toBeLessThanOrEqual(696)
        for (const other of boxes.slice(index + 1)) {
          const apart =
            box.x + box.width + 16 <= other.x ||
            other.x + other.width + 16 <= box.x ||
            box.y + box.height + 16 <= other.y ||
            other.y + other.height + 16 <= box.y
          expect(apart, `${box.name} and ${other.name}`).toBe(true)
        }
      }
    }
  })

  test("the demo's definitions refer only to columns that their queries return", () => {
    for (const { visuals } of pages()) {
      for (const visual of visuals) {
        const known = visual.columns.map(({ name }) => name)
        const { name, format, labels, select } = visual.definition
        const named = [...Object.keys(format), ...Object.keys(labels), ...columnsOfOption(visual)]
        if (select) named.push(select.column)
        expect(
          named.filter((column) => !known.includes(column)),
          name,
        ).toEqual([])
      }
    }
  })

  test("the demo's definitions return rows for every visual, in total and for one operadora", async () => {
    for (const report of catalog.reports.values()) {
      for (const page of report.pages) {
        for (const filters of [[], [oneOf(report)]]) {
          const { visuals } = await (filters.length
            ? dataOf(report, page, readerOf(report), filters)
            : wholeOf(report, page))
          for (const [name, { rows, truncated }] of Object.entries(visuals)) {
            expect(rows.length, `${report.definition.name}: ${name}`).toBeGreaterThan(0)
            expect(truncated).toBe(false)
          }
        }
      }
    }
  }, 60_000)

  test("the demo's definitions lay out every page for a phone, with all of its visuals", () => {
    for (const { definition } of catalog.reports.values())
      for (const { name, phone, visuals } of definition.pages)
        expect(phone?.map(({ visual }) => visual).toSorted(), `${definition.name}: ${name}`).toEqual(
          visuals.map((visual) => visual.name).toSorted(),
        )
  })

  test("the demo's definitions return the same rows each time, because window functions have no ties", async () => {
    for (const report of catalog.reports.values()) {
      const identity = readerOf(report)
      for (const page of report.pages) {
        const ranked = page.visuals.filter(({ definition }) => byPlace.test(`${definition.query}`))
        if (!ranked.length) continue
        const some = { ...page, visuals: ranked }
        const answers = new Set<string>()
        for (let times = 0; times < 8; times++) answers.add(rounded(await dataOf(report, some, identity, [])))
        expect(answers.size, `${report.definition.name}: ${page.definition.name}`).toBe(1)
      }
    }
  }, 60_000)

  test("the demo's definitions return an answer with a filter that matches nothing", async () => {
    const nothing: ResolvedFilter = { target: targetOf(), operator: 'In', values: ['NENHUMA'] }
    for (const report of catalog.reports.values()) {
      if (!report.dataset.tables.has('sinistralidade')) continue
      const identity = readerOf(report)
      for (const page of report.pages) {
        const { visuals } = await dataOf(report, page, identity, [nothing])
        expect(Object.keys(visuals)).toHaveLength(page.visuals.length)
      }
    }
  }, 60_000)

  test("the demo's definitions have no donut with more than six slices", async () => {
    for (const report of catalog.reports.values()) {
      for (const page of report.pages) {
        const donuts = page.visuals.filter(({ definition }) => definition.type === 'donut')
        if (donuts.length === 0) continue
        const { visuals } = await wholeOf(report, page)
        for (const { definition } of donuts) {
          expect(visuals[definition.name]?.rows.length, definition.name).toBeLessThanOrEqual(6)
        }
      }
    }
  })
})

describe('every visual of the demo reports', () => {
  const kinds = [
    'card',
    'line',
    'area',
    'bar',
    'column',
    'stackedBar',
    'stackedColumn',
    'donut',
    'scatter',
    'heatmap',
    'table',
    'matrix',
  ]
  afterAll(() => {
    vi.unstubAllGlobals()
  })

  test('every visual of the demo reports has a name and its values as text', async () => {
    const { faultsOf } = await openDrawing()
    const seen = new Set<string>()
    const faults: string[] = []
    for (const report of catalog.reports.values())
      for (const page of report.pages) {
        const { visuals } = await wholeOf(report, page)
        for (const one of page.visuals) {
          const { name, type } = one.definition
          const where = `${report.definition.name}, ${page.definition.displayName}, ${name}`
          const data = visuals[name]
          const found = data ? faultsOf(report, one, data) : ['an answer']
          for (const fault of found) faults.push(`${where}: ${fault}`)
          seen.add(type)
        }
      }
    expect(faults).toEqual([])
    // A kind without a visual would not be tested.
    expect(kinds.filter((kind) => !seen.has(kind))).toEqual([])
  }, 120_000)
})

test('every page of the secured reports shows only the operadora of the viewer', async () => {
  let tables = 0
  for (const report of catalog.reports.values()) {
    if (!report.dataset.definition.requiresIdentity) continue
    for (const page of report.pages) {
      const { visuals } = await dataOf(report, page, HELENA, [])
      for (const [name, { columns, rows }] of Object.entries(visuals)) {
        const column = columns.indexOf('operadora')
        if (column < 0) continue
        tables += 1
        // A matrix's subtotals have no operadora.
        const seen = rows.map((row) => row[column]).filter((value) => value !== null)
        expect([...new Set(seen)], name).toEqual(['PARANA_CLINICAS'])
      }
    }
  }
  expect(tables).toBeGreaterThan(3)
})

describe("the demo's data", () => {
  test("the demo's data has about 200,000 claims in two years and ten months", async () => {
    const [row] = await ask('SELECT count(*), min(data)::VARCHAR, max(data)::VARCHAR FROM Sinistralidade')
    expect(Number(row?.[0])).toBeGreaterThan(190_000)
    expect(Number(row?.[0])).toBeLessThan(210_000)
    expect(row?.slice(1)).toEqual(['2024-01-01', '2026-10-31'])
  })

  test("the demo's data has a plausible loss ratio for each operadora and year", async () => {
    const rows = await ask(`
      SELECT operadora, ano, (custo / receita)::DOUBLE FROM
        (SELECT operadora, ano, sum(valor) AS custo FROM Sinistralidade GROUP BY ALL)
        JOIN (SELECT operadora, ano, sum(receita) AS receita FROM Mensalidades GROUP BY ALL) USING (operadora, ano)`)
    expect(rows).toHaveLength(12)
    for (const [operadora, year, ratio] of rows) {
      expect(Number(ratio), `${operadora} ${year}`).toBeGreaterThan(0.6)
      expect(Number(ratio), `${operadora} ${year}`).toBeLessThan(1.1)
    }
  })

  test("the demo's data uses the portal's filter values", async () => {
    const distinct = async (column: string) =>
      (await ask(`SELECT DISTINCT ${column} FROM Sinistralidade ORDER BY 1`)).map(([value]) => value)
    expect(await distinct('operadora')).toEqual([...OPERADORAS])
    expect(await distinct('sexo')).toEqual(['feminino', 'masculino'])
    expect(await distinct('titularidade')).toEqual(['dependente', 'titular'])
  })
})

describe('ensureDemoData', () => {
  test('ensureDemoData repairs an interrupted start and replaces an older version, with the same bytes', async () => {
    const other = join(home, 'half')
    await mkdir(join(other, 'datasets/saude'), { recursive: true })
    // A pid above Linux's maximum: no such process exists.
    await mkdir(join(other, '.building-999999999/datasets'), { recursive: true })
    await writeFile(join(other, 'demo.json'), '{"version":null}\n')
    await ensureDemoData(other)
    const first = await hashes(folder)
    expect(Object.keys(first).length).toBeGreaterThanOrEqual(24)
    expect(await hashes(other)).toEqual(first)
    expect((await readdir(other)).sort()).toEqual(['datasets', 'demo.json', 'workspaces'])
  }, 60_000)

  test('ensureDemoData writes nothing when nothing has changed', async () => {
    const marker = join(folder, 'datasets/saude/Sinistralidade.parquet')
    const before = (await stat(marker)).mtimeMs
    await ensureDemoData(folder)
    expect((await stat(marker)).mtimeMs).toBe(before)
    expect((await readdir(folder)).sort()).toEqual(['datasets', 'demo.json', 'service.json', 'workspaces'])
    expect(await readFile(join(folder, 'service.json'), 'utf8')).toBe('{}')
  })

  test('ensureDemoData makes files readable by the owner only', async () => {
    const modes = new Set<string>()
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name))
      modes.add(`${entry.isDirectory() ? 'folder' : 'file'} ${(mode & 0o777).toString(8)}`)
    }
    modes.add(`folder ${((await stat(folder)).mode & 0o777).toString(8)}`)
    expect([...modes].sort()).toEqual(['file 600', 'folder 700'])
  })

  test('ensureDemoData does not replace foreign definitions', async () => {
    const own = join(home, 'own')
    await mkdir(join(own, 'workspaces/meu'), { recursive: true })
    await expect(ensureDemoData(own)).rejects.toThrow('não são da demonstração')
    expect(await readdir(own)).toEqual(['workspaces'])
  })
})

test('demoCatalogue lists the reports that the service offers', () => {
  const { workspaces } = demoCatalogue()
  expect(workspaces.map(({ name }) => name).sort()).toEqual([
    'Financeiro',
    'Gestão de Saúde',
    'Operações e Assistência',
    'População',
  ])
  const reports = workspaces.flatMap((workspace) => workspace.reports)
  expect(reports.map(({ id }) => id).sort()).toEqual([...catalog.reports.keys()].sort())
  const secured = reports.filter(({ requiresIdentity }) => requiresIdentity)
  expect(secured.length).toBeGreaterThanOrEqual(3)
  for (const { roles } of secured) expect(roles).toEqual(['Operadora'])
  for (const { name, requiresIdentity, roles } of reports) {
    if (!requiresIdentity) expect(roles, name).toEqual([])
  }
})

const readerOf = ({ dataset }: Report) => (dataset.definition.requiresIdentity ? ANA : undefined)

const whole = new Map<Page, ReturnType<typeof dataOf>>()

/** Returns the rows of each visual of a page without filters, cached. */
const wholeOf = (report: Report, page: Page) => {
  const answer = whole.get(page) ?? dataOf(report, page, readerOf(report), [])
  whole.set(page, answer)
  return answer
}

/** Returns the rows of each visual of a page, at the top level of its hierarchy. */
const dataOf = async (
  report: Report,
  { visuals }: Page,
  identity: Identity | undefined,
  filters: ResolvedFilter[],
) => {
  const answers = visuals.map(async (visual) => [
    visual.definition.name,
    await queryVisual(askAlone(report), report.dataset, visual, identity, { filters, drillPath: [] }),
  ])
  const found: Record<string, VisualData> = Object.fromEntries(await Promise.all(answers))
  return { visuals: found }
}

/** Matches window functions whose result depends on the order of rows. */
const byPlace = /\b(lag|lead|row_number|ntile|max)\([^)]*\) OVER \(PARTITION/

/** Rounds numbers: sums of parallel threads differ in their last digits. */
const rounded = (data: unknown) =>
  JSON.stringify(data, (_, value) => (typeof value === 'number' ? value.toPrecision(9) : value))

const pages = () => [...catalog.reports.values()].flatMap((report) => report.pages)

/** Runs each query at once, without the scheduler. */
const askAlone =
  ({ dataset: { database } }: Report): RunStatement =>
  (write) => {
    const { text, values } = write()
    return database.query(text, values)
  }

/** Queries the whole tables of the dataset without roles. */
const ask = async (sql: string) => {
  const dataset = [...catalog.datasets.values()].find(
    ({ definition }) => !definition.requiresIdentity && definition.tables.Sinistralidade,
  )
  if (!dataset) throw new Error('there is no open dataset')
  const names = ['sinistralidade', 'mensalidades'].map((name) => dataset.tables.get(name))
  const ctes = names.map((table) => `${table?.name} AS (FROM ${table?.source})`)
  return dataset.database.query(`WITH ${ctes.join(', ')} SELECT * FROM (${sql})`)
}

const targetOf = () => ({ table: 'Sinistralidade', column: 'operadora' })

/** Returns a filter for one operadora, or for one unit where the data has no operadora. */
const oneOf = ({ dataset }: Report): ResolvedFilter => {
  return dataset.tables.has('sinistralidade')
    ? { target: targetOf(), operator: 'In', values: ['SANTA_CASA'] }
    : { target: { table: 'Absenteismo', column: 'unidade' }, operator: 'In', values: ['Curitiba'] }
}

/** Returns the result columns that an option refers to: in `encode`, and in a card's keys. */
const columnsOfOption = ({ definition: { type, option } }: Visual): string[] => {
  if (type === 'card') return [option.detail, option.previous, option.trend].map(String)
  const series = Array.isArray(option.series) ? option.series : []
  return series.flatMap((one: { encode?: Record<string, string> }) => Object.values(one.encode ?? {}))
}

const hashes = async (root: string): Promise<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const part of ['datasets', 'workspaces']) {
    for (const name of (await readdir(join(root, part), { recursive: true })).sort()) {
      if (!/\.\w+$/.test(name)) continue
      const bytes = await readFile(join(root, part, name))
      found[`${part}/${name}`] = createHash('sha256').update(bytes).digest('hex')
    }
  }
  return found
}
