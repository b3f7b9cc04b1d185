import { MAX_COLUMNS as MAX_OF_A_TABLE, tooManyColumns } from '../data/columns/too-many-columns.ts'
import { type Cell, type Gap, isoTextCell, numberCell } from './cell-values.ts'
import type { NumberFormat } from './number-formats.ts'
import { brokenSheet, UnreadableSheet } from './unreadable-sheet.ts'
import { createTextReader, plainText, type WorkbookParts } from './workbook-parts.ts'
import { attributeOf, readXml } from './xml-events.ts'

/** A row with something in it. */
export interface SheetRow {
  /** As the sheet numbers it, from 1. */
  number: number
  /** By the column's index, from 0; empty cells are left out. */
  cells: Map<number, Cell>
  /** Cells that are in the file, and empty for the reader. */
  gaps: Map<number, Gap>
  isHidden: boolean
}

/** A range of merged cells, from 0 (columns) and 1 (rows), both ends included. */
export interface MergedRange {
  columns: [number, number]
  rows: [number, number]
}

/** XFD1048576 is the last cell of a sheet. */
const MAX_COLUMNS = 16_384
const MAX_ROWS = 1_048_576

const GENERAL: NumberFormat = { kind: 'number', hasFraction: false }

/** Ends the reading of a part early. */
class Enough extends Error {}

/**
 * Reads the rows of a sheet in order. Rows without a value are left out.
 * @param onRow returns false to end the reading
 * @throws UnreadableSheet
 */
export const readRows = (
  bytes: Uint8Array,
  { formats, texts, is1904 }: Pick<WorkbookParts, 'formats' | 'texts' | 'is1904'>,
  onRow: (row: SheetRow) => boolean | undefined,
): void => {
  let isInData = false
  let row: SheetRow | undefined
  let last = 0
  let column = -1
  let type = ''
  let format = GENERAL
  let value: string | undefined
  let hasFormula = false
  let isValue = false
  let isInCell = false
  const inline = createTextReader()
  let isInline = false

  function cellOf(): Cell | Gap | undefined {
    if (type === 'inlineStr') return textOf(inline.end())
    // An empty text that a formula gives has no value either.
    if (type === 'str') return textOf(plainText(value ?? ''))
    if (value === undefined || value.trim() === '') return hasFormula ? 'formula' : undefined
    if (type === 's') {
      const text = texts[Number(value)]
      if (text === undefined) throw brokenSheet()
      return textOf(text)
    }
    if (type === 'e') return 'error'
    if (type === 'b') return { kind: 'boolean', value: /^\s*(1|true)\s*$/.test(value) ? 1 : 0 }
    if (type === 'd') return isoTextCell(value, format)
    const number = Number(value)
    if (!Number.isFinite(number)) throw brokenSheet()
    return numberCell(number, format, is1904)
  }

  function endCell() {
    isInCell = false
    const found = cellOf()
    if (!row || found === undefined) return
    if (row.cells.has(column) || row.gaps.has(column)) throw brokenSheet()
    if (typeof found === 'string') row.gaps.set(column, found)
    else row.cells.set(column, found)
  }

  try {
    readXml(bytes, {
      open(name, attributes) {
        if (!isInData) {
          isInData = name === 'sheetData'
        } else if (name === 'v') {
          isValue = isInCell
        } else if (name === 'c') {
          if (!row || isInCell) throw brokenSheet()
          isInCell = true
          const address = attributeOf(attributes, 'r')
          column = address === undefined ? column + 1 : columnOf(address)
          if (column >= MAX_COLUMNS)
            throw row.cells.size > MAX_OF_A_TABLE
              ? new UnreadableSheet(tooManyColumns(MAX_COLUMNS, true))
              : brokenSheet()
          type = attributeOf(attributes, 't') ?? 'n'
          format = formats[Number(attributeOf(attributes, 's') ?? 0)] ?? GENERAL
          value = undefined
          hasFormula = false
          isInline = type === 'inlineStr'
          if (isInline) inline.start()
        } else if (name === 'row') {
          const number = Number(attributeOf(attributes, 'r') ?? last + 1)
          if (!Number.isInteger(number) || number <= last || number > MAX_ROWS) throw brokenSheet()
          last = number
          column = -1
          const isHidden = /^(1|true|on)$/.test(attributeOf(attributes, 'hidden') ?? '')
          row = { number, cells: new Map(), gaps: new Map(), isHidden }
        } else if (name === 'f') hasFormula = true
        else if (isInline) inline.open(name)
      },
      text(text) {
        if (isValue) value = (value ?? '') + text
        else if (isInline) inline.text(text)
      },
      close(name) {
        if (!isInData) return
        if (name === 'v') {
          isValue = false
          value ??= ''
        } else if (name === 'c') {
          endCell()
          isInline = false
        } else if (name === 'row') {
          if (row && (row.cells.size > 0 || row.gaps.size > 0) && onRow(row) === false) throw new Enough()
          row = undefined
        } else if (name === 'sheetData') isInData = false
        else if (isInline) inline.close(name)
      },
    })
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
}

const textOf = (text: string): Cell | undefined => (text === '' ? undefined : { kind: 'text', value: text })

/** Returns the column's index of an address such as AB12. @throws UnreadableSheet */
const columnOf = (address: string): number => {
  let column = 0
  let index = 0
  for (; index < address.length; index++) {
    const letter = (address.charCodeAt(index) | 32) - 96
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  if (index === 0 || index > 3) throw brokenSheet()
  return column - 1
}

/** Returns the letters of a column: 0 → A, 27 → AB. */
export const columnLetters = (column: number): string => {
  const before = column >= 26 ? columnLetters(Math.floor(column / 26) - 1) : ''
  return before + String.fromCharCode(65 + (column % 26))
}

/** What a sheet says before and after its rows. */
export interface SheetFrame {
  /** Ranges at the heading, and ranges over several rows of one column, whose texts are repeated. */
  merged: MergedRange[]
  /** Other ranges: only their first cell has a value. */
  unrepeated: MergedRange[]
  /** Whether there are more of them than are kept. */
  hasMoreUnrepeated: boolean
  /** Ranges of columns that the sheet hides, from 0, both ends included. */
  hiddenColumns: [number, number][]
}

/** Merged ranges of a sheet of each kind. Report generators merge each cell over columns. */
const MAX_MERGED = 100_000

/**
 * Reads the columns before the rows, and the merged ranges after them.
 * @param lastHeading the last row that may belong to the heading
 * @throws UnreadableSheet
 */
export const readFrame = (bytes: Uint8Array, lastHeading: number): SheetFrame => {
  const frame: SheetFrame = { merged: [], unrepeated: [], hasMoreUnrepeated: false, hiddenColumns: [] }
  const utf8 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = utf8.indexOf('sheetData')
  const end = utf8.lastIndexOf('sheetData')
  if (start < 0) return frame
  for (const [, attributes = ''] of utf8
    .subarray(0, start)
    .toString()
    .matchAll(/<(?:[\w.-]+:)?col\s([^>]*)>/g))
    if (/^(1|true|on)$/.test(attributeOf(attributes, 'hidden') ?? ''))
      frame.hiddenColumns.push([
        Number(attributeOf(attributes, 'min')) - 1,
        Number(attributeOf(attributes, 'max')) - 1,
      ])
  const tail = utf8.subarray(end).toString()
  for (const [, from = '', to = ''] of tail.matchAll(
    /<(?:[\w.-]+:)?mergeCell\s[^>]*ref\s*=\s*["']([A-Z]+\d+):([A-Z]+\d+)["']/g,
  )) {
    const range: MergedRange = { columns: [columnOf(from), columnOf(to)], rows: [rowOf(from), rowOf(to)] }
    const isRepeated = range.columns[0] === range.columns[1]
    if (!isRepeated && range.rows[0] > lastHeading) {
      if (frame.unrepeated.length < MAX_MERGED) frame.unrepeated.push(range)
      else frame.hasMoreUnrepeated = true
    } else if (frame.merged.length < MAX_MERGED) frame.merged.push(range)
    else throw new UnreadableSheet('tem mais de 100.000 grupos de células mescladas em várias linhas')
  }
  return frame
}

const rowOf = (address: string): number => Number(address.replace(/^[A-Z]+/, ''))
