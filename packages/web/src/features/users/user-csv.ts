import type { UserImport } from '@bi-manager/contract'
import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { normalised } from '../../lib/search-text.ts'
import { CsvFault } from './csv-file.ts'

export type CsvLine = UserImport['linhas'][number]

export interface UserCsv {
  lines: CsvLine[]
  /** Headings of columns that are not imported. */
  ignored: string[]
}

export const LINES_AT_MOST = 500
/** What the server takes of one field before it judges it. */
const FIELD_AT_MOST = 1_000

const fields = ['nomeUsuario', 'emailUsuario', 'senhaUsuario'] as const
type Field = (typeof fields)[number]

const headings: Record<string, Field> = {
  nome: 'nomeUsuario',
  'nome completo': 'nomeUsuario',
  'nome do usuario': 'nomeUsuario',
  nomeusuario: 'nomeUsuario',
  email: 'emailUsuario',
  'e-mail': 'emailUsuario',
  emailusuario: 'emailUsuario',
  senha: 'senhaUsuario',
  senhausuario: 'senhaUsuario',
}

/**
 * Reads people from a CSV: `;`, `,` or tab, quoted fields, with a heading (in any order) or without (nome, e-mail, senha).
 * `linha` is the line of the file on which the record begins.
 * @throws CsvFault when the file is not such a list, or longer than 500.
 */
export const parseUserCsv = (text: string): UserCsv => {
  const records = recordsOf(text)
  const [first] = records
  if (!first) throw new CsvFault('O arquivo não tem nenhum usuário.')
  const heading = headingOf(first.cells)
  const places = heading ?? fields.map((_, place) => place)
  const lines = (heading ? records.slice(1) : records).map(({ linha, cells }) => lineOf(linha, cells, places))
  checkSize(lines)
  const ignored = heading ? first.cells.filter((cell, place) => cell.trim() && !heading.includes(place)) : []
  return { lines, ignored }
}

interface CsvRecord {
  linha: number
  cells: string[]
}

/** A first line `sep=;`, by which Excel is told the delimiter; no record of people. */
const SEPARATOR_LINE = /^(\uFEFF?)"?sep=(.)"?[ \t]*(?=\r|\n|$)/i

const recordsOf = (file: string): CsvRecord[] => {
  // Its line break stays, so that the lines keep their numbers.
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
    throw error instanceof CsvError ? new CsvFault(faultText(error)) : error
  }
  return parsed.map(({ record, info }) => ({ linha: info.lines - breaksIn(record), cells: record }))
}

/** The one that the first line has most of; quoted text does not count. */
const delimiterOf = (text: string): string => {
  const [line = ''] = text
    .replace(/"[^"]*"/g, '')
    .trimStart()
    .split(/\r\n|\n|\r/)
  const count = (delimiter: string) => line.split(delimiter).length
  return [';', ',', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** Places of name, e-mail and password (-1: not in the file), where the first line names its columns. */
const headingOf = (cells: string[]): number[] | undefined => {
  const found = cells.map((cell) => headings[normalised(cell)])
  if (!found.some(Boolean) || cells.some((cell) => cell.includes('@'))) return undefined
  const places = fields.map((field) => found.indexOf(field))
  const lacking = [places[0] === -1 && 'nome', places[1] === -1 && 'e-mail'].filter(Boolean)
  if (lacking.length > 0)
    throw new CsvFault(
      `Falta a coluna ${lacking.join(' e a coluna ')}. O cabeçalho esperado é: nome;e-mail;senha.`,
    )
  return places
}

const lineOf = (linha: number, cells: string[], places: number[]): CsvLine => {
  const [nomeUsuario = '', emailUsuario = '', senhaUsuario = ''] = places.map((place) => cells[place] ?? '')
  if ([nomeUsuario, emailUsuario, senhaUsuario].some(({ length }) => length > FIELD_AT_MOST))
    throw new CsvFault(
      `Linha ${linha}: um campo passa de 1.000 caracteres. Confira as aspas e se este é o arquivo certo.`,
    )
  return { linha, nomeUsuario: nomeUsuario.trim(), emailUsuario: emailUsuario.trim(), senhaUsuario }
}

const checkSize = ({ length }: CsvLine[]): void => {
  if (length === 0) throw new CsvFault('O arquivo só tem o cabeçalho: nenhum usuário.')
  if (length > LINES_AT_MOST)
    throw new CsvFault(
      `O arquivo tem ${length.toLocaleString('pt-BR')} usuários. Importe no máximo ${LINES_AT_MOST} de uma vez.`,
    )
}

const breaksIn = (cells: string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0)

const faultText = ({ code, lines }: CsvError & { lines?: number }): string => {
  const place = lines ? `Linha ${lines}: ` : ''
  if (code === 'CSV_QUOTE_NOT_CLOSED') return `${place}aspas abertas e não fechadas.`
  return `${place}aspas fora do lugar. Um campo com aspas começa e termina com elas.`
}
