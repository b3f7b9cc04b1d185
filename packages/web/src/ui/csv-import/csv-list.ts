import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { normalised } from '../../lib/text/search-text.ts'
import { CsvImportError, type CsvKind } from './csv-file.ts'

export type CsvLine<F extends string> = { linha: number } & Record<F, string>

export interface CsvList<F extends string> {
  lines: CsvLine<F>[]
  /** Headings of columns that are ignored. */
  ignored: string[]
}

/** The columns of a list. */
export interface CsvShape<F extends string> extends CsvKind {
  /** Field → heading, in the column order of a file without headings. */
  columns: Record<F, string>
  /** Columns that a heading line must contain. */
  required: readonly F[]
  /** Optional columns that error messages about the heading do not mention. */
  rare?: readonly F[]
  /** Alternative headings (lower case, without accents) → field. */
  alsoCalled: Record<string, F>
  /** Recognises a cell that can only be data, so that its line is not a heading. */
  isData?: (cell: string) => boolean
  /** Fields whose leading and trailing spaces are kept. */
  verbatim?: readonly F[]
}

/** The longest field value that the server accepts for validation. */
const MAX_FIELD_LENGTH = 1_000

/**
 * Parses a CSV list: `;`, `,` or tab, quoted fields, with headings (in any order) or without.
 * `linha` is the line of the file on which the row begins.
 * @throws CsvImportError when the file is not such a list, or too long
 */
export const parseCsvList = <F extends string>(text: string, shape: CsvShape<F>): CsvList<F> => {
  const rows = rowsOf(text)
  const [first] = rows
  if (!first) throw new CsvImportError(`O arquivo não tem nenhum ${shape.people[0]}.`)
  const heading = headingOf(first.cells, shape)
  const places = heading ?? fieldsOf(shape).map((_, place) => place)
  const lines = (heading ? rows.slice(1) : rows).map((row) => lineOf(row, places, shape))
  checkSize(lines.length, shape)
  const ignored = heading ? first.cells.filter((cell, place) => cell.trim() && !heading.includes(place)) : []
  return { lines, ignored }
}

/** Returns 'nome;e-mail;senha'. */
export const expectedHeading = <F extends string>(shape: CsvShape<F>): string =>
  fieldsOf(shape)
    .filter((field) => !shape.rare?.includes(field))
    .map((field) => shape.columns[field])
    .join(';')

const fieldsOf = <F extends string>({ columns }: CsvShape<F>): F[] => Object.keys(columns) as F[]

interface CsvRow {
  linha: number
  cells: string[]
}

/** A first line `sep=;`, which sets Excel's delimiter; it is not a row. */
const SEPARATOR_LINE = /^(\uFEFF?)"?sep=(.)"?[ \t]*(?=\r|\n|$)/i

const rowsOf = (file: string): CsvRow[] => {
  // Keeps the line break, so that the lines keep their numbers.
  const text = file.replace(SEPARATOR_LINE, '$1')

  let parsed: { record: string[]; info: { lines: number } }[]
  try {
    parsed = parse(text, {
      bom: true,
      delimiter: SEPARATOR_LINE.exec(file)?.[2] ?? delimiterOf(text),
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }) as unknown as typeof parsed
  } catch (error) {
    throw error instanceof CsvError ? new CsvImportError(faultText(error)) : error
  }
  return parsed.map(({ record, info }) => ({ linha: info.lines - breaksIn(record), cells: record }))
}

/** Returns the delimiter that occurs most often in the first line, outside quotes. */
const delimiterOf = (text: string): string => {
  const [line = ''] = text
    .replace(/"[^"]*"/g, '')
    .trimStart()
    .split(/\r\n|\n|\r/)
  const count = (delimiter: string) => line.split(delimiter).length
  return [';', ',', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** Returns the column index of each field (-1: absent), if the first line is a heading. */
const headingOf = <F extends string>(cells: string[], shape: CsvShape<F>): number[] | undefined => {
  const fields = fieldsOf(shape)
  const named = new Map<string, F>(
    fields.flatMap((field) => [
      [normalised(shape.columns[field]), field],
      [normalised(field), field],
    ]),
  )
  for (const [name, field] of Object.entries<F>(shape.alsoCalled)) named.set(name, field)
  const found = cells.map((cell) => named.get(normalised(cell)))
  if (!found.some(Boolean) || cells.some((cell) => shape.isData?.(cell))) return undefined
  const lacking = shape.required.filter((field) => !found.includes(field))
  if (lacking.length > 0)
    throw new CsvImportError(
      `Falta a coluna ${lacking.map((field) => shape.columns[field]).join(' e a coluna ')}. O cabeçalho esperado é: ${expectedHeading(shape)}.`,
    )
  return fields.map((field) => found.indexOf(field))
}

const lineOf = <F extends string>(
  { linha, cells }: CsvRow,
  places: number[],
  shape: CsvShape<F>,
): CsvLine<F> => {
  const values = fieldsOf(shape).map((field, at) => {
    const cell = cells[places[at] ?? -1] ?? ''
    if (cell.length > MAX_FIELD_LENGTH)
      throw new CsvImportError(
        `Linha ${linha}: um campo passa de 1.000 caracteres. Confira as aspas e se este é o arquivo certo.`,
      )
    return [field, shape.verbatim?.includes(field) ? cell : cell.trim()] as const
  })
  return { linha, ...(Object.fromEntries(values) as Record<F, string>) }
}

const checkSize = (count: number, { people, maxLines }: CsvKind): void => {
  if (count === 0) throw new CsvImportError(`O arquivo só tem o cabeçalho: nenhum ${people[0]}.`)
  if (count > maxLines)
    throw new CsvImportError(
      `O arquivo tem ${count.toLocaleString('pt-BR')} ${people[1]}. Importe no máximo ${maxLines.toLocaleString('pt-BR')} de uma vez.`,
    )
}

const breaksIn = (cells: string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0)

const faultText = ({ code, lines }: CsvError & { lines?: number }): string => {
  const place = lines ? `Linha ${lines}: ` : ''
  if (code === 'CSV_QUOTE_NOT_CLOSED') return `${place}aspas abertas e não fechadas.`
  return `${place}aspas fora do lugar. Um campo com aspas começa e termina com elas.`
}
