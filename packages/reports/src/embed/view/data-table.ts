import type { Cell, EmbeddedVisual, VisualData } from '../../embed-contract.ts'
import { el, setAttributes } from './dom.ts'
import { isNumeric } from './format.ts'
import { type ValueLooks, valueText } from './value-looks.ts'

/** Rows that stand beside a chart for those who cannot see it. */
const READABLE_ROWS = 50

/** The same data as text, for screen readers and tests. */
export function createReadableTable(
  visual: EmbeddedVisual,
  given: VisualData,
  looks: ValueLooks,
): HTMLTableElement {
  // A card shows its last row and what that is compared with; its trend is only a picture.
  const data = visual.type === 'card' ? { ...given, rows: given.rows.slice(-2).toReversed() } : given
  const left = data.rows.length - READABLE_ROWS
  const more = left > 0 ? ` (as primeiras ${READABLE_ROWS} de ${data.rows.length} linhas)` : ''
  return el(
    'table',
    { class: 'readable', 'data-visual': visual.name },
    el('caption', {}, `Dados: ${visual.title}${more}`),
    el(
      'thead',
      {},
      el('tr', {}, ...data.columns.map((column) => el('th', { scope: 'col' }, heading(visual, column)))),
    ),
    createBody(visual, data, data.rows.slice(0, READABLE_ROWS), looks),
  )
}

/** The table visual: headings sort, rows may be picked. `picked` gets the index of the row in the data. */
export function createTable(
  visual: EmbeddedVisual,
  data: VisualData,
  looks: ValueLooks,
  picked?: (row: number) => void,
): HTMLElement {
  let sorted = givenOrder(data)
  const numeric = data.columns.map((_, column) => data.rows.some((row) => isNumeric(row[column])))
  const headings = data.columns.map((name, column) =>
    el(
      'th',
      { scope: 'col', class: numeric[column] && 'number' },
      el('button', { type: 'button', class: 'sort' }, heading(visual, name)),
    ),
  )
  const table = el(
    'table',
    { class: 'grid', 'data-visual': visual.name },
    el('caption', { class: 'hidden-text' }, visual.title),
    el('thead', {}, el('tr', {}, ...headings)),
    createBody(visual, data, data.rows, looks, picked),
  )

  function markOrder() {
    headings.forEach((cell, index) => {
      const order = sorted?.descending ? 'descending' : 'ascending'
      setAttributes(cell, { 'aria-sort': index === sorted?.column && order })
    })
  }
  markOrder()

  function sort(column: number) {
    const first = numeric[column] === true
    sorted = { column, descending: sorted?.column === column ? !sorted.descending : first }
    const { descending } = sorted
    markOrder()
    const rows = data.rows.toSorted((a, b) => compare(a[column], b[column]) * (descending ? -1 : 1))
    table.tBodies[0]?.replaceWith(createBody(visual, data, rows, looks, picked))
  }
  headings.forEach((cell, column) => {
    cell.firstElementChild?.addEventListener('click', () => sort(column))
  })

  return el(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': `${visual.title}: tabela` },
    table,
    data.truncated && el('p', { class: 'truncated' }, `Mostrando as primeiras ${data.rows.length} linhas.`),
  )
}

/** The label; without one, what the column is in its visual. */
function heading({ type, title, labels, format, option }: EmbeddedVisual, column: string): string {
  const given = labels[column]
  if (given !== undefined) return given
  if (format[column] === 'mes') return 'Mês'
  if (type === 'card') return column === option.previous ? 'Período anterior' : title
  const words = column.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** How the query ordered the rows: the first column that rises or falls all the way. */
function givenOrder({ columns, rows }: VisualData): { column: number; descending: boolean } | undefined {
  if (rows.length < 3) return undefined
  for (const column of columns.keys()) {
    const steps = rows.slice(1).map((row, index) => compare(rows[index]?.[column], row[column]))
    if (steps.every((step) => step === 0)) continue
    if (steps.every((step) => step <= 0)) return { column, descending: false }
    if (steps.every((step) => step >= 0)) return { column, descending: true }
  }
  return undefined
}

function createBody(
  visual: EmbeddedVisual,
  data: VisualData,
  rows: Cell[][],
  looks: ValueLooks,
  picked?: (row: number) => void,
): HTMLTableSectionElement {
  const selects = picked && visual.select ? data.columns.indexOf(visual.select.column) : -1
  return el(
    'tbody',
    {},
    ...rows.map((row) =>
      el(
        'tr',
        {},
        ...row.map((cell, column) => {
          const text = valueText(cell, visual.format[data.columns[column] ?? ''], looks)
          const place = el('td', {
            class: isNumeric(cell) && 'number',
            'data-value': cell === null ? '' : String(cell),
          })
          if (column !== selects) place.append(text)
          else {
            const button = el('button', { type: 'button', class: 'pick' }, text)
            button.addEventListener('click', () => picked?.(data.rows.indexOf(row)))
            place.append(button)
          }
          return place
        }),
      ),
    ),
  )
}

const collator = new Intl.Collator('pt-BR', { numeric: true, sensitivity: 'base' })

/** Blanks come last in rising order. */
function compare(a: Cell | undefined, b: Cell | undefined): number {
  if (a == null || b == null) return Number(a == null) - Number(b == null)
  return isNumeric(a) && isNumeric(b) ? a - b : collator.compare(String(a), String(b))
}
