import { ABOUT, type Fact, type Sheet, sheetNames, workbookParts } from '@bi-manager/contract/workbook'
import { parse } from 'csv-parse/browser/esm/sync'
import { strToU8, zipSync } from 'fflate'
import { MAX_ROWS } from '../frame/page-visuals.ts'
import type { PageRows, VisualRows } from '../frame/read-page.ts'
import { columnReader } from './column-reader.ts'
import { filterLines } from './filter-lines.ts'

/* A spreadsheet file of the rows that Power BI exports of a page. Loaded with the first export. */

export interface AboutFile {
  nomeRelatorio: string
  /** For whom the file is. */
  person: string | undefined
  /** When the data was last refreshed (ISO); undefined when the portal does not know it. */
  dataTime: string | undefined
  /** Milliseconds since the epoch. */
  created: number
}

export interface PageFile {
  file: Blob
  /** Titles of the visuals whose data could not be exported; the first sheet says why. */
  refused: string[]
}

/**
 * Maximum number of cells of all sheets together; a visual that would exceed it gets no sheet. Writing
 * that many blocks the page for about two seconds.
 */
const MAX_CELLS = 500_000

interface Described {
  sheet?: Omit<Sheet, 'name'>
  /** Why there is no sheet. */
  fault?: string
  isEmpty?: true
}

/**
 * Returns a file with one sheet for each visual that has rows.
 * @throws Error when no visual has any
 */
export const pageFile = ({ title, visuals, filters }: PageRows, about: AboutFile): PageFile => {
  const nameSheet = sheetNames([ABOUT])
  const sheets: Sheet[] = []
  const refused: string[] = []
  const contents: Fact[][] = [['Planilha', 'Visual', 'Linhas', 'Observação']]
  let room = MAX_CELLS
  let firstFault = ''
  for (const visual of visuals) {
    const { sheet, fault, isEmpty } = describe(visual, room)
    if (sheet) {
      const name = nameSheet(visual.title)
      sheets.push({ name, ...sheet })
      room -= sheet.rows.length * sheet.columns.length
      contents.push([name, visual.title, sheet.rows.length, sheet.note ?? ''])
    } else if (isEmpty) contents.push(['', visual.title, 0, 'Sem planilha: não há dados com estes filtros.'])
    else {
      refused.push(visual.title)
      firstFault ||= fault ?? ''
      contents.push(['', visual.title, 0, `Sem planilha: ${fault}`])
    }
  }
  if (sheets.length === 0) throw new Error(whyNothing(visuals.length, firstFault))
  const parts = workbookParts({
    title: about.nomeRelatorio,
    created: about.created,
    facts: factsOf(title, filterLines(filters), about),
    contents,
    sheets,
  })
  const packed = Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]))
  const bytes = zipSync(packed, { level: 6, mtime: about.created })
  return { file: new Blob([bytes], { type: SPREADSHEET }), refused }
}

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const whyNothing = (visuals: number, fault: string): string => {
  if (fault) return `Nenhum dado pôde ser exportado: ${fault}`
  return visuals === 0
    ? 'Esta página não tem visuais com dados para exportar.'
    : 'Não há dados para exportar com estes filtros.'
}

const describe = ({ csv, fault }: VisualRows, room: number): Described => {
  if (csv === undefined) return { fault: fault ?? '' }
  const table = tableOf(csv)
  if (!table) return { fault: 'o Power BI respondeu com dados ilegíveis.' }
  const [headings = [], ...rows] = table
  if (rows.length === 0) return { isEmpty: true }
  const width = table.reduce((most, row) => Math.max(most, row.length), 0)
  if (rows.length * width > room)
    return { fault: `o arquivo chegou a ${inWords(MAX_CELLS)} células. Exporte este visual sozinho.` }
  const columns = Array.from({ length: width }, (_, index) => ({
    heading: headings[index] || `Coluna ${index + 1}`,
    read: columnReader(rows.map((row) => row[index] ?? '')),
  }))
  const note =
    rows.length >= MAX_ROWS
      ? `O Power BI exporta só as primeiras ${inWords(MAX_ROWS)} linhas: pode haver mais. Use os filtros para exportar as outras.`
      : undefined
  return { sheet: { columns, rows, note } }
}

const tableOf = (csv: string): string[][] | undefined => {
  try {
    return parse(csv, { bom: true, relaxColumnCount: true, skipEmptyLines: true })
  } catch (error) {
    console.info('O Power BI respondeu com um CSV ilegível.', error)
    return undefined
  }
}

const factsOf = (page: string, filters: string[], { person, dataTime, created }: AboutFile) => {
  const facts: [string, Fact][] = [['Página', page]]
  if (dataTime) facts.push(['Dados de', { instant: Date.parse(dataTime) }])
  facts.push(['Exportado em', { instant: created }])
  if (person) facts.push(['Exportado por', person])
  facts.push(['Fuso horário', 'Brasília'])
  facts.push(['Números e datas', 'Só onde o texto do Power BI tem uma única leitura; o resto é texto.'])
  const lines = filters.length > 0 ? filters : ['Nenhum']
  for (const [index, line] of lines.entries()) facts.push([index ? '' : 'Filtros', line])
  return facts
}

const inWords = (count: number) => count.toLocaleString('pt-BR')
