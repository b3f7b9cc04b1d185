import { type Element, Window } from 'happy-dom'
import { expect, vi } from 'vitest'
import { visualTypes } from '../src/definitions/visual-types.ts'
import { columnFormat, formatOf } from '../src/embed-page/view/style/column-format.ts'
import { type ValueFormats, valueText } from '../src/embed-page/view/style/value-formats.ts'
import type { Report, Visual } from '../src/engine/data/catalog.ts'
import type { Cell, EmbeddedVisual, VisualData } from '../src/wire/embed-contract.ts'

/* Draws the service's rows with the embed page's code, and checks what screen readers announce. */

/** The used part of the page's types, since the page is compiled for browsers. */
type Frame = { element: Element; show(data: VisualData, charts: object): void }
type VisualFrame = {
  createVisualFrame(visual: EmbeddedVisual, label: string, valueFormats: ValueFormats, actions: object): Frame
}
/** Not a literal, so that the type check of this package does not follow it. */
const DRAWING = '../src/embed-page/view/visual/visual-frame.ts'

/** Opens the page's drawing code in a separate document, until `vi.unstubAllGlobals`. */
export const openDrawing = async () => {
  const window = new Window()
  for (const name of ['document', 'HTMLElement', 'Node', 'Element', 'CSS'] as const)
    vi.stubGlobal(name, window[name])
  vi.stubGlobal('window', window)
  const { createVisualFrame }: VisualFrame = await import(DRAWING)
  // happy-dom has no canvas, and screen readers ignore it anyway.
  const charts = { mountChart: () => ({ draw: vi.fn(), dispose: vi.fn() }) }
  const frameOf = (visual: EmbeddedVisual, valueFormats: ValueFormats = {}) =>
    createVisualFrame(visual, visual.title, valueFormats, actions)
  return { frameOf, faultsOf: faultsOf(frameOf, charts) }
}

const actions = {
  picked: vi.fn(),
  clearPick: vi.fn(),
  drillTo: vi.fn(),
  retry: vi.fn(),
  slice: vi.fn(),
  loadValues: async () => ({ values: ['CNU', 'BRADESCO'], kind: 'text', truncated: false }),
  press: vi.fn(),
}

/** Returns the text that screen readers announce of an element: no images, nothing hidden. */
export const accessibleText = (element: Element): string => {
  const copy = element.cloneNode(true)
  for (const silent of copy.querySelectorAll('[aria-hidden="true"], svg, canvas, [hidden]')) silent.remove()
  return plain(copy.textContent)
}
export const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim()

/** Returns the accessibility faults of a visual with these rows. */
const faultsOf =
  (frameOf: (visual: EmbeddedVisual, valueFormats: ValueFormats) => Frame, charts: object) =>
  (report: Report, one: Visual, data: VisualData): string[] => {
    const { query: _query, drill, matrix, totals: _totals, ...rest } = one.definition
    const visual = {
      ...rest,
      ...(drill && { drill: { levels: drill.levels, values: Object.keys(drill.values) } }),
      ...(matrix && { matrix: { ...matrix, values: Object.keys(matrix.values) } }),
    } as EmbeddedVisual
    const valueFormats = report.definition.values ?? {}
    const { element, show } = frameOf(visual, valueFormats)
    const faults: string[] = []
    const must = (is: boolean, what: string) => void (is || faults.push(what))
    must(
      element.tagName === 'SECTION' && plain(element.getAttribute('aria-label')) === plain(visual.title),
      'its name',
    )
    must(plain(element.querySelector('h2')?.textContent ?? '') === plain(visual.title), 'its heading')

    show(data, charts)
    must(data.rows.length > 0, 'rows to say')
    must(element.querySelector('.notice') === null, 'a drawing')
    const text = accessibleText(element)
    for (const sentence of valuesOf(visual, data, valueFormats))
      must(text.includes(plain(sentence)), `the value ${sentence}`)

    const table = element.querySelector('table')
    const isChart = visualTypes[visual.type].body === 'chart'
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

/** Returns the visible texts: of a card its last two rows, of a matrix its groups and totals. */
const valuesOf = (visual: EmbeddedVisual, data: VisualData, valueFormats: ValueFormats): string[] => {
  const { columns, rows } = data
  const said = (row: readonly Cell[], from = 0) =>
    row.slice(from).flatMap((value, at) => {
      const text = valueText(value, formatOf(visual, data, columns[from + at] ?? ''), valueFormats)
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
      ...names.map((name) => valueText(name, formatOf(visual, data, first), valueFormats)),
      ...whole.flatMap((row) =>
        measures.map((name) =>
          valueText(row[columns.indexOf(name)], formatOf(visual, data, name), valueFormats),
        ),
      ),
    ]
  }
  const totals = (data.totals ?? []).flatMap((total, at) =>
    total === null
      ? []
      : valueText(total, columnFormat(data.totalKinds?.[at], visual.format[columns[at] ?? '']), valueFormats),
  )
  // Long tables draw only the first rows in their own order, other visuals the first fifty rows.
  return [
    ...totals,
    ...(visual.type === 'table' && rows.length > 50 ? [] : rows.slice(0, 50).flatMap((row) => said(row))),
  ]
}
