import { ownValue } from '@bi-manager/contract/own-value'
import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { namedCell } from '../style/cell-key.ts'
import { columnFormat, formatOf, isNumberKind } from '../style/column-format.ts'
import { buttonWith, el, setAttributes } from '../style/dom.ts'
import { formatCell, formatStored } from '../style/format.ts'
import { type ValueFormats, valueText } from '../style/value-formats.ts'
import { applyCellFormat, type CellFormatter, readCellFormat } from './cell-formats.ts'
import { columnHeading } from './column-heading.ts'
import { MAX_COLUMNS, rowsAtOnce } from './drawn-columns.ts'
import { createGridFrame } from './grid-frame.ts'
import { givenOrder, type Order, orderRows } from './table-order.ts'

/** Columns of a table that scrolls sideways: its first column, which names the rows, stays. */
const FEW_COLUMNS = 8

/**
 * Creates a table with sortable headings and totals. The reader's order survives new data.
 * @param picked called with the index, in the data, of the row that was picked
 */
export const createDataTable = (
  visual: EmbeddedVisual,
  valueFormats: ValueFormats,
  { picked }: { picked?: ((row: number) => void) | undefined } = {},
) => {
  const frame = createGridFrame(visual, 'tabela', () => drawMore())
  const { element, scroll, table, head, foot, isCut, showCut } = frame
  const body = el('tbody')
  foot.before(body)

  let data: VisualData = { columns: [], kinds: [], rows: [], truncated: false }
  let numeric: boolean[] = []
  let headings: HTMLElement[] = []
  let drawn: HTMLElement[] = []
  let lookOf: CellFormatter[] = []
  /** By name, since new data may have other columns. */
  let chosen: { column: string; descending: boolean } | undefined
  let order: Order | undefined
  let shownRows: number[] = []
  let selected: Cell | undefined

  function drawHead() {
    headings = data.columns.slice(0, MAX_COLUMNS).map((name, column) => {
      const heading = columnHeading(visual, name)
      const button = buttonWith(() => sortBy(column), { class: 'sort' }, heading)
      return el('th', { scope: 'col', class: numeric[column] && 'number', 'data-heading': heading }, button)
    })
    head.replaceChildren(el('tr', {}, ...headings))
  }

  function sortBy(column: number) {
    // Numbers are sorted descending first: readers look for the greatest.
    const descending = order?.column === column ? !order.descending : numeric[column] === true
    chosen = { column: data.columns[column] ?? '', descending }
    arrange()
    scroll.scrollTop = 0
  }

  function arrange() {
    const wanted = chosen ?? data.sort ?? visual.sort
    const column = wanted ? data.columns.indexOf(wanted.column) : -1
    const sorted = wanted && column >= 0 ? { column, descending: wanted.descending } : undefined
    order = sorted ?? givenOrder(data, valueFormats)
    shownRows = sorted ? orderRows(data, sorted, valueFormats) : [...data.rows.keys()]
    const direction = order?.descending ? 'descending' : 'ascending'
    headings.forEach((cell, index) => {
      setAttributes(cell, { 'aria-sort': index === order?.column && direction })
    })
    drawn = []
    body.replaceChildren()
    drawMore()
  }

  function drawMore(count = rowsAtOnce(data.columns.length)) {
    const from = drawn.length
    const rows = shownRows.slice(from, from + count).map((rowIndex, index) => drawRow(rowIndex, from + index))
    body.append(...rows)
    drawn.push(...rows)
    markPicked(from)
  }

  function drawRow(rowIndex: number, position: number): HTMLTableRowElement {
    const row = data.rows[rowIndex] ?? []
    // The heading is row 1.
    const element = el('tr', { 'aria-rowindex': position + 2 })
    const pickAt = pickColumn()
    row.slice(0, MAX_COLUMNS).forEach((value, column) => {
      const cell = el('td', {
        class: numeric[column] && 'number',
        'data-value': value === null ? '' : String(value),
      })
      const format = formatOf(visual, data, data.columns[column] ?? '')
      const text = valueText(value, format, valueFormats, visual.hasStoredValues ? formatStored : formatCell)
      cell.append(column === pickAt ? buttonWith(() => picked?.(rowIndex), { class: 'pick' }, text) : text)
      applyCellFormat(cell, lookOf[column]?.(value))
      element.append(cell)
    })
    return element
  }

  function markPicked(from = 0) {
    const column = pickColumn()
    if (column < 0) return
    drawn.slice(from).forEach((row, index) => {
      const cell = data.rows[shownRows[from + index] ?? -1]?.[column]
      const isPicked = selected !== undefined && namedCell(cell) === selected
      row.classList.toggle('picked', isPicked)
      row.querySelector('.pick')?.setAttribute('aria-pressed', String(isPicked))
    })
  }

  const pickColumn = () => (picked && visual.select ? data.columns.indexOf(visual.select.column) : -1)

  function drawFoot() {
    const { totals, totalKinds } = data
    foot.replaceChildren()
    if (!totals) return
    foot.append(
      el(
        'tr',
        { 'aria-rowindex': data.rows.length + 2 },
        ...data.columns.slice(0, MAX_COLUMNS).map((name, column) => {
          const total = totals[column]
          if (column === 0 && total == null) return el('th', { scope: 'row' }, 'Total')
          const format = columnFormat(totalKinds?.[column], ownValue(visual.format, name), () => [total])
          const text = total == null ? '' : valueText(total, format, valueFormats)
          return el('td', { class: numeric[column] && 'number' }, text)
        }),
      ),
    )
  }

  return {
    element,
    /** Draws the rows. `selection` is the selected value of this table, or undefined. */
    draw(given: VisualData, selection?: Cell) {
      const isNew = given !== data
      selected = selection
      // Same data: only the marks change, so that the keyboard focus stays.
      if (!isNew) return markPicked()
      // The embedder's order replaces the reader's.
      if (given.sort && JSON.stringify(given.sort) !== JSON.stringify(data.sort)) chosen = undefined
      const sameColumns = given.columns.join() === data.columns.join()
      data = given
      numeric = data.kinds.map(isNumberKind)
      lookOf = data.columns.map((name, column) =>
        readCellFormat(visual, name, data.kinds[column], () => data.rows.map((row) => row[column])),
      )
      setAttributes(table, { 'aria-rowcount': data.rows.length + 1 + Number(data.totals !== undefined) })
      if (!sameColumns) drawHead()
      arrange()
      drawFoot()
      const { length } = data.columns
      table.classList.toggle('wide', length > FEW_COLUMNS)
      showCut(data, {
        drawn: Math.min(length, MAX_COLUMNS),
        all: length,
      })
    },
    isCut,
    /** Draws every row, for printing. */
    drawAll: () => drawMore(shownRows.length),
    /** Returns the rows in their current order. */
    rows: (): Cell[][] => shownRows.flatMap((rowIndex) => (data.rows[rowIndex] ? [data.rows[rowIndex]] : [])),
  }
}
