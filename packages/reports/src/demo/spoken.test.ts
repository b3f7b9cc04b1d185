import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Element, Window } from 'happy-dom'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type ValueLooks, valueText } from '../embed/view/value-looks.ts'
import type { Cell, EmbeddedVisual, VisualData } from '../embed-contract.ts'
import type { Catalog, Page, Report } from '../engine/catalog.ts'
import { openDatabase } from '../engine/database.ts'
import { closeCatalog, loadCatalog } from '../engine/load-catalog.ts'
import { queryVisual } from '../engine/query.ts'
import { ensureDemoData } from './generate.ts'

/* The service's rows, drawn by the embed page's own code. */

/** What it has of the page, which is of a browser and not of the service: this file knows no more of its types. */
type Frame = { element: Element; show(data: VisualData, parts: object): void }
type Drawing = {
  createVisualFrame(visual: EmbeddedVisual, label: string, looks: ValueLooks, actions: object): Frame
}
const drawing = (file: string) => import(`../embed/view/${file}.ts`)

let home = ''
let catalog: Catalog
let createVisualFrame: Drawing['createVisualFrame']
let parts: object

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'demo-'))
  await ensureDemoData(join(home, 'reports'))
  catalog = await loadCatalog({
    dataDir: join(home, 'reports'),
    open: () => openDatabase({ memoryMegabytes: 512, timeoutMs: 20_000 }),
  })
  const window = new Window()
  for (const name of ['document', 'HTMLElement', 'Node', 'Element', 'CSS'] as const)
    vi.stubGlobal(name, window[name])
  vi.stubGlobal('window', window)
  const frame: Drawing = await drawing('visual-frame')
  createVisualFrame = frame.createVisualFrame
  // There is no canvas here, and nobody who listens would hear it.
  const charts = { mountChart: () => ({ draw: vi.fn(), dispose: vi.fn() }) }
  parts = { charts, grids: await drawing('grid-body'), matrices: await drawing('matrix') }
}, 60_000)
afterAll(async () => {
  vi.unstubAllGlobals()
  await closeCatalog(catalog)
  await rm(home, { recursive: true })
})

const ANA = { username: 'ana@demo.local', roles: ['Operadora'], customData: null }
const actions = {
  picked: vi.fn(),
  clearPick: vi.fn(),
  drillTo: vi.fn(),
  retry: vi.fn(),
  slice: vi.fn(),
  loadValues: async () => ({ values: ['CNU', 'BRADESCO'], truncated: false }),
  press: vi.fn(),
}

/** What is read out of an element: no picture, nothing that is hidden from those who listen. */
function heard(element: Element): string {
  const copy = element.cloneNode(true)
  for (const silent of copy.querySelectorAll('[aria-hidden="true"], svg, canvas, [hidden]')) silent.remove()
  return plain(copy.textContent)
}
const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim()

const KINDS = ['card', 'line', 'area', 'bar', 'column', 'stackedBar', 'stackedColumn', 'donut', 'scatter']
const OTHERS = ['heatmap', 'table', 'matrix']

it('every visual of the demo reports has a name and says its values in words', async () => {
  const seen = new Set<string>()
  const faults: string[] = []
  for (const report of catalog.reports.values())
    for (const page of report.pages)
      for (const one of page.visuals) {
        const where = `${report.definition.name}, ${page.definition.displayName}, ${one.definition.name}`
        for (const fault of await faultsOf(report, one)) faults.push(`${where}: ${fault}`)
        seen.add(one.definition.type)
      }
  expect(faults).toEqual([])
  // A kind that no report shows would be held against nothing.
  expect([...KINDS, ...OTHERS].filter((kind) => !seen.has(kind))).toEqual([])
}, 120_000)

it.each<[EmbeddedVisual['type'], Partial<EmbeddedVisual>]>([
  ['text', { text: ['Números fictícios.', 'Só para mostrar.'] }],
  ['button', { subtitle: 'Outra página' }],
  ...(['list', 'search', 'dateRange'] as const).map((style): ['slicer', Partial<EmbeddedVisual>] => [
    'slicer',
    { slicer: { target: { table: 'T', column: 'c' }, style, single: false } },
  ]),
])('and so has a %s, whatever it is: %j', async (type, more) => {
  const visual: EmbeddedVisual = {
    ...{ name: 'um', type, title: 'O que se vê', layout: { x: 0, y: 0, width: 300, height: 200 } },
    ...{ format: {}, labels: {}, option: {}, conditional: {}, ignoresSelection: false, ...more },
  }
  const { element } = createVisualFrame(visual, visual.title, {}, actions)
  expect([element.tagName, element.getAttribute('aria-label')]).toEqual(['SECTION', visual.title])
  expect(await controlFaults(visual, element)).toEqual([])
})

async function faultsOf(report: Report, one: Page['visuals'][number]): Promise<string[]> {
  const { query: _query, drill, matrix, totals: _totals, ...rest } = one.definition
  const visual = {
    ...rest,
    ...(drill && { drill: { levels: drill.levels, values: Object.keys(drill.values) } }),
    ...(matrix && { matrix: { ...matrix, values: Object.keys(matrix.values) } }),
  } as EmbeddedVisual
  const looks = report.definition.values ?? {}
  const { element, show } = createVisualFrame(visual, visual.title, looks, actions)
  const faults: string[] = []
  const must = (is: boolean, what: string) => void (is || faults.push(what))
  must(
    element.tagName === 'SECTION' && plain(element.getAttribute('aria-label')) === plain(visual.title),
    'its name',
  )
  must(plain(element.querySelector('h2')?.textContent ?? '') === plain(visual.title), 'its heading')

  const data = await queryVisual(
    (write) => {
      const { text, values, types } = write()
      return report.dataset.database.query(text, values, types)
    },
    report.dataset,
    one,
    report.dataset.definition.requiresIdentity ? ANA : undefined,
    { filters: [], opened: [] },
  )
  show(data, parts)
  must(data.rows.length > 0, 'rows to say')
  must(element.querySelector('.notice') === null, 'a drawing')
  const text = heard(element)
  for (const sentence of valuesOf(visual, data, looks))
    must(text.includes(plain(sentence)), `the value ${sentence}`)

  const table = element.querySelector('table')
  const isChart = !['card', 'table', 'matrix'].includes(visual.type)
  const caption = plain(table?.querySelector('caption')?.textContent ?? '')
  must(caption.includes(plain(visual.title)), 'a table with a caption')
  must(table?.closest('[aria-hidden="true"], [hidden]') === null, 'a table that is heard')
  must(
    [...(table?.querySelectorAll('thead th') ?? [])].every((head) => head.textContent),
    'named columns',
  )
  if (isChart) {
    const drawing = element.querySelector('.chart')
    const name = drawing?.getAttribute('aria-label') ?? ''
    must(/^(Gráfico|Mapa) de \p{L}+/u.test(name) && name.includes(visual.title), 'the name of its drawing')
    must(name.includes(`${data.rows.length} ponto`), 'how many points there are')
    must(drawing?.getAttribute('tabindex') === '0', 'a drawing that keys reach')
  }
  return faults
}

/** What a reader of the drawing sees as numbers and names: a card its last row and the one before, a matrix its groups and totals. */
function valuesOf(visual: EmbeddedVisual, data: VisualData, looks: ValueLooks): string[] {
  const { columns, rows } = data
  const said = (row: readonly Cell[], from = 0) =>
    row.slice(from).flatMap((value, at) => {
      const text = valueText(value, visual.format[columns[from + at] ?? ''], looks)
      return text ? [text] : []
    })
  if (visual.type === 'card') return rows.slice(-2).flatMap((row) => said(row))
  if (visual.type === 'matrix') {
    const keys = [...(visual.matrix?.rows ?? []), ...(visual.matrix?.columns ?? [])]
    const measures = columns.filter((name) => visual.matrix?.values.includes(name))
    expect(measures.length, visual.name).toBeGreaterThan(0)
    const [first = ''] = keys
    const names = [...new Set(rows.map((row) => row[columns.indexOf(first)] ?? null))].filter(
      (name) => name !== null,
    )
    const whole = rows.filter((row) => keys.every((key) => (row[columns.indexOf(key)] ?? null) === null))
    expect(whole.length, `${visual.name}: the totals`).toBe(1)
    return [
      ...names.map((name) => valueText(name, visual.format[first], looks)),
      ...whole.flatMap((row) =>
        measures.map((name) => valueText(row[columns.indexOf(name)], visual.format[name], looks)),
      ),
    ]
  }
  const totals = (data.totals ?? []).flatMap((total, at) =>
    total === null ? [] : valueText(total, visual.format[columns[at] ?? ''], looks),
  )
  // Of a long table those that come first by its own order are drawn, of another visual the first fifty.
  return [
    ...totals,
    ...(visual.type === 'table' && rows.length > 50 ? [] : rows.slice(0, 50).flatMap((row) => said(row))),
  ]
}

/** What has no rows: its controls have names, and what it offers or says is in words. */
async function controlFaults(visual: EmbeddedVisual, element: Element): Promise<string[]> {
  if (visual.type === 'text') {
    const spoken = heard(element)
    return [visual.text ?? []].flat().filter((paragraph) => !spoken.includes(plain(paragraph)))
  }
  if (visual.type === 'slicer') await vi.waitFor(() => expect(element.querySelector('input')).not.toBeNull())
  const controls = [...element.querySelectorAll('button, input, select')].filter(
    (control) => !control.closest('[hidden]'),
  )
  const nameless = controls.filter((control) => {
    const label =
      control.closest('label') ?? (control.id && element.querySelector(`label[for="${control.id}"]`))
    return !plain(control.getAttribute('aria-label')) && !(label && heard(label)) && !heard(control)
  })
  return [
    ...(controls.length ? [] : ['something to press']),
    ...nameless.map((control) => `the name of ${control.outerHTML.slice(0, 80)}`),
  ]
}
