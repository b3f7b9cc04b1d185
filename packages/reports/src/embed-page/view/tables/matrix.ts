import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { isNumberKind } from '../style/column-format.ts'
import { buttonWith, el, setAttributes } from '../style/dom.ts'
import { nameText, type ValueFormats, valueText } from '../style/value-formats.ts'
import { applyCellFormat, type CellFormatter, readCellFormat } from './cell-formats.ts'
import { columnHeading } from './column-heading.ts'
import { MAX_COLUMNS, rowsAtOnce } from './drawn-columns.ts'
import { createGridFrame } from './grid-frame.ts'
import { columnHeadings, type MatrixModel, type MatrixRow, readMatrix, WHOLE } from './matrix-model.ts'

/** Matrices with up to this many rows start with all groups open. */
const OPEN_UP_TO = 40

/**
 * Creates a matrix. Row keys share one indented column, to stay narrow. The row of a group shows
 * its subtotals and opens or closes it; that state stays when data changes.
 */
export const createMatrix = (visual: EmbeddedVisual, valueFormats: ValueFormats) => {
  /** Whole groups are drawn. */
  const atOnce = () => rowsAtOnce(model.columns.length * model.values.length)
  const drawMore = () => drawUpTo(countDrawn() + atOnce())
  const { element, table, head, foot, isCut, showCut } = createGridFrame(visual, 'matriz', drawMore)
  table.classList.add('matrix')
  const turnAll = () => {
    openAtFirst = !allOpen()
    choices.clear()
    drawBodies()
  }
  const toggleAll = buttonWith(turnAll, { class: 'toggle-all' })

  let model = readMatrix(visual, { columns: [], kinds: [], rows: [], truncated: false }, valueFormats)
  let lookOf: CellFormatter[] = []
  /** Whether the reader opened or closed a group, by its key. */
  const choices = new Map<string, boolean>()
  let openAtFirst = true
  let drawnGroups = 0

  const isOpen = (key: string) => choices.get(key) ?? openAtFirst
  const allOpen = () => groupsIn(model.rows).every(({ key }) => isOpen(key))
  const keyText = (value: Cell | undefined, column: string | undefined) =>
    nameText(value, model.formatOf(column ?? ''), valueFormats)

  function drawHead() {
    const { depth, values } = model
    const [rowKeys = [], columnKeys = []] = [visual.matrix?.rows, visual.matrix?.columns]
    const hasMeasures = values.length > 1 || depth[1] === 0
    const corner = el(
      'th',
      { scope: 'col', class: 'row-heading', rowspan: depth[1] + Number(hasMeasures) },
      el(
        'div',
        { class: 'corner' },
        depth[0] > 1 && toggleAll,
        rowKeys.map((name) => columnHeading(visual, name)).join(' › '),
      ),
    )
    const rows = columnHeadings(model).map((cells, level) =>
      cells.map(({ text, span, rows, isSum }) =>
        el(
          'th',
          {
            scope: span * values.length > 1 ? 'colgroup' : 'col',
            colspan: span * values.length,
            rowspan: rows,
            class: classes(isSum && 'sum', span * values.length === 1 ? 'number' : 'spanning'),
          },
          isSum ? (level ? 'Subtotal' : 'Total') : keyText(text, columnKeys[level]),
        ),
      ),
    )
    if (hasMeasures)
      rows.push(
        model.columns.flatMap(({ path }) =>
          values.map((name) =>
            el(
              'th',
              { scope: 'col', class: classes('number', path.length < depth[1] && 'sum') },
              columnHeading(visual, name),
            ),
          ),
        ),
      )
    head.replaceChildren(...rows.map((cells, index) => el('tr', {}, index === 0 && corner, ...cells)))
  }

  /** Redraws as many rows as before: the scroll position stays and the count does not grow. */
  function drawBodies() {
    const before = countDrawn()
    for (const body of [...table.tBodies]) body.remove()
    drawnGroups = 0
    drawUpTo(Math.max(before, atOnce()))
    markOpen()
  }

  function markOpen() {
    const open = allOpen()
    toggleAll.textContent = open ? '−' : '+'
    setAttributes(table, {
      'aria-rowcount': head.childElementCount + countRows(model.rows, isOpen) + foot.childElementCount,
    })
    setAttributes(toggleAll, { 'aria-label': open ? 'Fechar todos os grupos' : 'Abrir todos os grupos' })
  }

  const countDrawn = () =>
    [...table.tBodies].reduce((count, { childElementCount }) => count + childElementCount, 0)

  function drawUpTo(rows: number) {
    for (let drawn = countDrawn(); drawn < rows && drawnGroups < model.rows.length; ) drawn += drawGroup()
  }

  /** Returns the number of rows drawn. */
  function drawGroup(): number {
    const row = model.rows[drawnGroups++]
    if (!row) return 0
    const group = createGroup(row)
    foot.before(group)
    return group.childElementCount
  }

  function createGroup(top: MatrixRow): HTMLTableSectionElement {
    const body = el('tbody')
    const add = (row: MatrixRow) => {
      const isGroup = row.children.length > 0
      body.append(createRow(row, isGroup ? groupHeading(row, body, top) : rowHeading(row)))
      if (isGroup && isOpen(row.key)) for (const child of row.children) add(child)
    }
    add(top)
    return body
  }

  function rowHeading({ path }: MatrixRow): HTMLElement {
    const level = path.length - 1
    return el(
      'th',
      {
        scope: 'row',
        class: classes(`row-heading step-${level}`, isNumberKind(model.rowKinds[level]) && 'digits'),
      },
      keyText(path[level], visual.matrix?.rows[level]),
    )
  }

  function groupHeading(row: MatrixRow, body: HTMLElement, top: MatrixRow): HTMLElement {
    const level = row.path.length - 1
    const open = isOpen(row.key)
    const toggle = () => {
      choices.set(row.key, !open)
      const fresh = createGroup(top)
      body.replaceWith(fresh)
      const toggles = [...fresh.querySelectorAll<HTMLElement>('.toggle')]
      toggles.find(({ dataset }) => dataset.key === row.key)?.focus()
      // Closing a group may leave too few rows to scroll, which would never load the others.
      drawUpTo(atOnce())
      markOpen()
    }
    const attributes = { class: 'toggle', 'aria-expanded': String(open), 'data-key': row.key }
    const button = buttonWith(toggle, attributes, keyText(row.path[level], visual.matrix?.rows[level]))
    button.addEventListener('keydown', ({ key }) => {
      if (key === (open ? 'ArrowLeft' : 'ArrowRight')) toggle()
    })
    return el('th', { scope: level ? 'row' : 'rowgroup', class: `row-heading group step-${level}` }, button)
  }

  function createRow(row: MatrixRow, heading: HTMLElement): HTMLElement {
    return el(
      'tr',
      { class: row.children.length > 0 && 'group' },
      heading,
      ...createCells(row.key, row.path.length === model.depth[0]),
    )
  }

  function createCells(key: string, isLeafRow: boolean): HTMLElement[] {
    return model.columns.flatMap((column) => {
      const cells = model.cells(key, column.key)
      const isSum = column.path.length < model.depth[1]
      return model.values.map((name, index) => {
        const value = cells?.[index]
        // A missing value is not zero: the cell stays empty.
        const text = value == null ? '' : valueText(value, model.formatOf(name), valueFormats)
        const cell = el(
          'td',
          {
            class: classes(
              (value == null || isNumberKind(model.valueKinds[index])) && 'number',
              isSum && 'sum',
            ),
            'data-value': value == null ? '' : String(value),
          },
          text,
        )
        const look = lookOf[index]?.(value)
        // Totals would dwarf the other bars and shades; a rule also applies to totals.
        if (look?.kind === 'tone' || (isLeafRow && !isSum)) applyCellFormat(cell, look)
        return cell
      })
    })
  }

  function drawFoot() {
    foot.replaceChildren()
    if (!model.hasTotal) return
    foot.append(
      el('tr', {}, el('th', { scope: 'row', class: 'row-heading' }, 'Total'), ...createCells(WHOLE, false)),
    )
  }

  return {
    element,
    draw(data: VisualData) {
      const first = model.rows.length === 0
      const whole = readMatrix(visual, data, valueFormats)
      model = { ...whole, columns: firstColumns(whole) }
      if (first) openAtFirst = countRows(model.rows, () => true) <= OPEN_UP_TO
      lookOf = model.values.map((name, index) =>
        readCellFormat(visual, name, model.valueKinds[index], () => model.leaves(index)),
      )
      drawHead()
      drawFoot()
      drawBodies()
      const width = whole.values.length
      // The row keys share one column.
      const counted = (columns: readonly unknown[]) => 1 + columns.length * width
      const counts = { drawn: counted(model.columns), all: counted(whole.columns) }
      showCut(data, counts)
    },
    isCut,
    /** Draws every group, for printing. */
    drawAll() {
      while (drawnGroups < model.rows.length) drawGroup()
    },
  }
}

/** The first groups of columns, and the total over all of them. */
const firstColumns = ({ columns, values }: MatrixModel) => {
  const most = Math.max(Math.floor(MAX_COLUMNS / Math.max(values.length, 1)), 1)
  return columns.filter(({ path }, index) => index < most || (path.length === 0 && columns.length > 1))
}

const classes = (...names: (string | false)[]) => names.filter(Boolean).join(' ') || undefined

const groupsIn = (rows: readonly MatrixRow[]): MatrixRow[] =>
  rows.flatMap((row) => (row.children.length ? [row, ...groupsIn(row.children)] : []))

/** Counts the rows and those of their open groups. */
const countRows = (rows: readonly MatrixRow[], isOpen: (key: string) => boolean): number =>
  rows.reduce((count, { key, children }) => count + 1 + (isOpen(key) ? countRows(children, isOpen) : 0), 0)
