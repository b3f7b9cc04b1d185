import { MAX_COLUMNS, tooManyColumns } from '../data/columns/too-many-columns.ts'
import { type HeadingRows, hasColumns, repeatsSentence, unnamedSentence } from '../data/csv/heading-rows.ts'
import { WITHOUT_HEADING } from '../data/csv/known-columns.ts'
import { canonicalText, headingText, shownText } from './cell-values.ts'
import { createColumnKinds } from './column-kinds.ts'
import { findHeading, HEADING_ROWS, type Heading, nameIn, namesOf, readHeading } from './headings.ts'
import { createMergedCells } from './merged-cells.ts'
import type { ConvertedSheet, SheetAnswer, SheetChoice, SheetOrder } from './sheet-answer.ts'
import { columnLetters, readFrame, readRows, type SheetFrame, type SheetRow } from './sheet-rows.ts'
import { TOO_LARGE, UnreadableSheet } from './unreadable-sheet.ts'
import { readWorkbookParts, type SheetPart, type WorkbookParts } from './workbook-parts.ts'
import { openZip, type ZipParts } from './zip-parts.ts'

/** A sheet with the rows in which its heading is. */
interface OpenSheet {
  sheet: SheetPart
  bytes: Uint8Array
  frame: SheetFrame
  rows: SheetRow[]
}

const NO_CELLS = 'não tem nenhuma aba com células'
/** Characters of a row that is offered as the heading. */
const SHOWN_LETTERS = 120
/** Rows and sheets that are offered. */
const OFFERED_ROWS = 20
const OFFERED_SHEETS = 100
/** Characters of the CSV that are written at a time. */
const WRITTEN_LETTERS = 1 << 16

/**
 * Converts one sheet of a workbook into CSV with semicolons, and says what is known of its columns.
 * @param write appends to the CSV
 */
export const convertSheet = (
  bytes: Uint8Array,
  order: SheetOrder,
  write: (text: string) => void,
): SheetAnswer => {
  let choice: SheetChoice | undefined
  try {
    const zip = openZip(bytes)
    const workbook = readWorkbookParts(zip)
    const { open, heading: wanted, fault } = choose(zip, workbook, order)
    const none = order.isWithoutHeading ? withoutHeading(open) : undefined
    const rows = wanted ?? order.heading ?? none ?? findHeading(open.rows, open.frame.merged)
    choice = choiceOf(workbook, open, rows)
    if (fault !== undefined) return { choice, fault }
    const around = rowsAround(open, rows, workbook)
    around
      .filter(({ number }) => number >= rows.first && number < rows.first + rows.count)
      .forEach(assertWidth)
    const heading = readHeading(around, open.frame.merged, rows)
    return { choice, sheet: convert(workbook, open, heading, order, write) }
  } catch (error) {
    if (error instanceof UnreadableSheet) return { choice, fault: error.message }
    // A text, a list or a map is longer than JavaScript allows.
    if (error instanceof RangeError) return { choice, fault: TOO_LARGE }
    throw error
  }
}

const openSheet = (
  zip: ZipParts,
  workbook: WorkbookParts,
  sheet: SheetPart,
  chosen: HeadingRows | undefined,
): OpenSheet => {
  const bytes = zip.read(sheet.part)
  const rows: SheetRow[] = []
  readRows(bytes, workbook, (row) => {
    if (row.cells.size > 0) rows.push(row)
    return rows.length < HEADING_ROWS
  })
  const lastChosen = chosen ? chosen.first + chosen.count - 1 : 0
  return { sheet, bytes, frame: readFrame(bytes, Math.max(rows.at(-1)?.number ?? 0, lastChosen)), rows }
}

/** A chosen row may be below those that were read first. */
const rowsAround = (
  { bytes, rows }: OpenSheet,
  { first, count }: HeadingRows,
  workbook: WorkbookParts,
): SheetRow[] => {
  if (first + count - 1 <= (rows.at(-1)?.number ?? 0) || rows.length < HEADING_ROWS) return rows
  const found: SheetRow[] = []
  readRows(bytes, workbook, (row) => {
    if (row.number >= first) found.push(row)
    return row.number < first + count - 1
  })
  return found
}

interface Choice {
  open: OpenSheet
  /** Undefined: found by its looks. */
  heading: HeadingRows | undefined
  /** Why the sheet is not read: a person must choose one. */
  fault?: string
}

/**
 * Returns the sheet to read: the one that is named, the only one that has the columns of the
 * report, or the first visible one.
 * @throws UnreadableSheet
 */
const choose = (
  zip: ZipParts,
  workbook: WorkbookParts,
  { sheet: name, heading: chosen, expected, isOptional, quotesData = true }: SheetOrder,
): Choice => {
  const { sheets } = workbook
  const visible = sheets.filter(({ isVisible }) => isVisible)
  const named = name === undefined ? undefined : sheets.find((one) => sameName(one.name, name))
  if (name !== undefined && !named && !isOptional)
    throw new UnreadableSheet(`não tem a aba ${name}: tem ${listed(visible)}`)
  const first = named ?? visible[0] ?? sheets[0]
  if (!first) throw new UnreadableSheet(NO_CELLS)
  const open = openSheet(zip, workbook, first, chosen)
  if (!expected || chosen) return { open, heading: undefined }
  if (named) return { open, heading: headingWith(open, expected) }
  const found = visible.flatMap((one) => {
    const opened = one === first ? open : openSheet(zip, workbook, one, chosen)
    const heading = headingWith(opened, expected)
    return heading ? [{ open: opened, heading }] : []
  })
  const [only, other] = found
  if (!only || !other) return only ?? { open, heading: undefined }
  const missing = name === undefined ? '' : `não tem mais a aba ${name}; `
  const way = quotesData
    ? 'escolha uma, ou deixe só uma na planilha'
    : 'envie este arquivo uma vez em Substituir dados e escolha uma, que as trocas seguintes usam, ou deixe só uma na planilha'
  const fitting = listed(found.map(({ open }) => open.sheet))
  return { ...only, fault: `${missing}as abas ${fitting} têm as colunas do relatório: ${way}` }
}

const sameName = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

const list = new Intl.ListFormat('pt-BR')
const listed = (sheets: SheetPart[]): string => list.format(sheets.slice(0, 20).map(({ name }) => name))

/** Finds the row that has all of these columns, each by one of its names in lower case. */
const headingWith = ({ rows, frame }: OpenSheet, expected: string[][]): HeadingRows | undefined => {
  for (const { number } of rows.every(({ cells }) => cells.size <= MAX_COLUMNS) ? rows : [])
    for (const count of [1, 2] as const) {
      const { names } = readHeading(rows, frame.merged, { first: number, count })
      if (hasColumns(names, expected)) return { first: number, count }
    }
  return undefined
}

/** Begins the values at the first row, below titles. */
const withoutHeading = ({ rows }: OpenSheet): HeadingRows => {
  const widest = Math.max(0, ...rows.map(({ cells }) => cells.size))
  return { first: rows.find(({ cells }) => cells.size > widest / 2)?.number ?? 1, count: 0 }
}

const choiceOf = (workbook: WorkbookParts, { sheet, rows }: OpenSheet, heading: HeadingRows): SheetChoice => {
  const visible = workbook.sheets.filter(({ isVisible }) => isVisible)
  return {
    sheets: visible.slice(0, OFFERED_SHEETS).map(({ name }) => name),
    sheet: sheet.name,
    heading,
    rows: rows.slice(0, OFFERED_ROWS).map(({ number, cells }) => ({
      row: number,
      text: [...cells]
        .toSorted(([one], [other]) => one - other)
        .map(([, cell]) => headingText(cell).replace(/\s+/g, ' '))
        .join(' · ')
        .slice(0, SHOWN_LETTERS),
    })),
  }
}

const convert = (
  workbook: WorkbookParts,
  open: OpenSheet,
  heading: Heading,
  { texts: wanted, quotesData = true, expected }: SheetOrder,
  write: (text: string) => void,
): ConvertedSheet => {
  const { bytes, frame } = open
  const forms = new Map(wanted?.map(({ name, form }) => [name, form]))
  const kinds = createColumnKinds()
  const lastHeading = heading.rows.first + heading.rows.count - 1
  // Read twice: a column's cells are written according to all of them, and memory stays small.
  const readBody = (onRow: (row: SheetRow) => void) => {
    const mergedCells = createMergedCells(frame, lastHeading, (column) => forms.has(nameIn(heading, column)))
    readRows(bytes, workbook, (row) => {
      if (row.number <= lastHeading) return true
      mergedCells.fill(row)
      onRow(row)
      return true
    })
    return mergedCells
  }
  open.rows.filter(({ number }) => number >= heading.rows.first).forEach(assertWidth)
  const mergedCells = readBody((row) => {
    assertWidth(row)
    kinds.add(row)
  })
  const columns = [...new Set([...heading.names.keys(), ...kinds.columns()])].toSorted(
    (one, other) => one - other,
  )
  if (columns.length > MAX_COLUMNS) throw new UnreadableSheet(tooManyColumns(columns.length))
  const names = namesOf(heading, columns, quotesData, expected)
  const plans = columns.map((column, index) => kinds.planOf(column, forms.get(names[index] ?? '')))
  const lines: ConvertedSheet['lines'] = []
  let record = 0
  let text = `${names.map(quoted).join(';')}\n`
  readBody(({ number, cells }) => {
    if (cells.size === 0) return
    record++
    const last = lines.at(-1)
    if (!last || number - record !== last[1] - last[0]) lines.push([record, number])
    text += columns
      .map((column, index) => {
        const cell = cells.get(column)
        return cell ? quoted(plans[index]?.asShown ? shownText(cell) : canonicalText(cell)) : ''
      })
      .join(';')
    text += '\n'
    if (text.length > WRITTEN_LETTERS) {
      write(text)
      text = ''
    }
  })
  write(text)
  const named = columns.map((column, index) => [column, names[index] ?? ''] as const)
  const mixtures = named.flatMap(([column, name]) => {
    const sentence = kinds.mixtureOf(column, name)
    return sentence ? [{ name, sentence }] : []
  })
  const hidden = named.filter(([column]) =>
    frame.hiddenColumns.some(([from, to]) => column >= from && column <= to),
  )
  return {
    columns: names.map((name, index) => ({
      name,
      known: plans[index]?.known,
      hasValues: kinds.hasValues(columns[index] ?? -1),
      hasOwnCommas: plans[index]?.hasOwnCommas,
      hasOwnDates: plans[index]?.hasOwnDates,
      hasUndecided: mergedCells.undecided().has(columns[index] ?? -1),
    })),
    lines,
    notices: [
      ...sheetNotices(workbook, open.sheet),
      ...headingNotice(open, heading.rows),
      ...nameNotices(heading, columns, quotesData),
      ...kinds.notices(),
      ...mergedCells.notices((column) => names[columns.indexOf(column)] ?? columnLetters(column)),
      ...(hidden.length > 0 ? [hiddenNotice(hidden.map(([, name]) => name))] : []),
      ...named.flatMap(([column, name]) => kinds.noticesOf(column, name, forms.has(name))),
    ],
    mixtures,
  }
}

/** Without it, the time to read a sheet of 16,384 columns is spent before they are refused. */
const assertWidth = ({ cells }: SheetRow) => {
  if (cells.size > MAX_COLUMNS) throw new UnreadableSheet(tooManyColumns(cells.size))
}

const quoted = (text: string): string => (/[";,|\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const sheetNotices = ({ sheets }: WorkbookParts, read: SheetPart): string[] => {
  const others = sheets.filter((one) => one !== read)
  const visible = others.filter(({ isVisible }) => isVisible)
  const hidden = others.filter(({ isVisible }) => !isVisible)
  return [
    ...(visible.length > 0 ? [`foi lida só a aba ${read.name}, sem ${listed(visible)}`] : []),
    ...(hidden.length > 0
      ? [
          `${hidden.length === 1 ? 'a aba oculta' : 'as abas ocultas'} ${listed(hidden)} não ${hidden.length === 1 ? 'foi lida' : 'foram lidas'}`,
        ]
      : []),
    ...(read.isVisible ? [] : [`a aba lida, ${read.name}, está oculta na planilha`]),
  ]
}

const headingNotice = ({ rows }: OpenSheet, { first, count }: HeadingRows): string[] => {
  const isFirst = (rows[0]?.number ?? first) === first
  if (count === 0)
    return [`${WITHOUT_HEADING}${isFirst ? '' : `; as linhas acima da linha ${first} não foram lidas`}`]
  if (count === 2)
    return [
      `o cabeçalho são as linhas ${first} e ${first + 1}${isFirst ? '' : '; as que estão acima não foram lidas'}`,
    ]
  return isFirst ? [] : [`o cabeçalho é a linha ${first}; as que estão acima não foram lidas`]
}

/** Names the columns without a name, and those with the name of another one. */
const nameNotices = (heading: Heading, columns: number[], quotesData: boolean): string[] => {
  const { rows, names, repeats } = heading
  const unnamed = rows.count === 0 ? [] : columns.filter((column) => !names.has(column))
  return [
    ...(repeats.length > 0 ? [repeatsSentence(repeats, columnLetters, quotesData)] : []),
    ...unnamed.map((column) => unnamedSentence(nameIn(heading, column))),
  ]
}

const hiddenNotice = (names: string[]): string =>
  names.length === 1
    ? `a coluna oculta ${names[0]} foi lida com as outras`
    : `as colunas ocultas ${list.format(names)} foram lidas com as outras`
