import { BYTE_ORDER_MARK, csvCell, csvLine } from '@bi-manager/contract/csv-text'
import { isNumberText, numberText } from '@bi-manager/contract/number-text'
import { ownValue } from '@bi-manager/contract/own-value'
import type { Cell, ColumnKind, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { columnFormat, isNumberKind, type ShownFormat } from '../style/column-format.ts'
import { formatCell } from '../style/format.ts'
import { findValueFormat, type ValueFormats } from '../style/value-formats.ts'
import { columnHeading } from './column-heading.ts'

/**
 * Returns CSV for Brazilian spreadsheets: semicolons, decimal commas, byte order mark, CRLF.
 * Numbers are written with all their digits, without their format.
 */
export const dataCsv = (
  visual: EmbeddedVisual,
  { columns, kinds }: Pick<VisualData, 'columns' | 'kinds'>,
  rows: readonly Cell[][],
  valueFormats: ValueFormats,
): string => {
  const headings = columns.map((name) => csvCell(columnHeading(visual, name)))
  const formats = columns.map((name, column) => {
    const cells = () => rows.map((row) => row[column])
    return fileFormat(columnFormat(kinds[column], ownValue(visual.format, name), cells), cells)
  })
  const lines = rows.map((row) =>
    row.map((cell, column) => cellText(cell, kinds[column], formats[column], valueFormats)),
  )
  return BYTE_ORDER_MARK + [headings, ...lines].map((cells) => csvLine(cells)).join('')
}

/** Returns the rows to export, without totals, which a spreadsheet would add up again. */
export const exportedRows = ({ matrix }: EmbeddedVisual, { rows, levels }: VisualData): Cell[][] => {
  if (!matrix || !levels) return rows
  // A total has fewer keys than the matrix has row and column fields.
  return rows.filter((_, index) => {
    const keys = levels[index]
    return keys?.[0] === matrix.rows.length && keys?.[1] === matrix.columns.length
  })
}

/** Returns the visual's title without characters that file systems refuse. */
export const fileName = ({ title, name }: EmbeddedVisual, extension: 'csv' | 'png'): string => {
  const kept = title
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u001f\u007f\\/:*?"<>|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .slice(0, 100)
  return `${kept || name}.${extension}`
}

const cellText = (
  cell: Cell,
  kind: ColumnKind | undefined,
  format: FileFormat | undefined,
  valueFormats: ValueFormats,
): string => {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'sim' : 'não'
  if (typeof cell === 'number') return formatNumber(cell)
  if (isNumberKind(kind) && isNumberText(cell)) return numberText(allDigits, cell)
  const label = findValueFormat(valueFormats, cell)?.label
  return csvCell(label ?? dateText(cell, format))
}

/** Without exponents, which some spreadsheets read as text. */
const formatNumber = (number: number) => numberText(plainNumber, number)
/** For digits that no double holds; DuckDB has at most 39. */
const allDigits = new Intl.NumberFormat('pt-BR', { useGrouping: false, maximumFractionDigits: 40 })
const plainNumber = new Intl.NumberFormat('pt-BR', { useGrouping: false, maximumSignificantDigits: 17 })

type FileFormat = Extract<ShownFormat, 'data' | 'dataHoraSegundos'>
const MONTH = /^\d{4}-\d{2}$/
/** A moment after midnight. */
const WITH_TIME = /^\d{4}-\d{2}-\d{2}( \(BC\))?[T ](?!00:00(:00(\.0+)?)?$)\d{2}:\d{2}/

/** Returns how dates are written in a file: days with their time where one has a time. */
const fileFormat = (
  shown: ShownFormat | undefined,
  cells: () => readonly (Cell | undefined)[],
): FileFormat | undefined => {
  if (shown === 'dataHora' || shown === 'dataHoraSegundos') return 'dataHoraSegundos'
  if (shown !== 'data' && shown !== 'mes') return undefined
  const hasTimes = cells().some((cell) => typeof cell === 'string' && WITH_TIME.test(cell))
  return hasTimes ? 'dataHoraSegundos' : 'data'
}

/** Returns days as dd/mm/aaaa, also those of months, and instants with their seconds. */
const dateText = (text: string, format: FileFormat | undefined): string => {
  if (text === '' || !format) return text
  // A month is its first day, as in a workbook: mai/26 is two months, of 1926 and of 2026.
  return formatCell(MONTH.test(text) ? `${text}-01` : text, format)
}
