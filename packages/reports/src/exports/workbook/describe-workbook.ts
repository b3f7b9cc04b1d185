import { ownValue } from '@bi-manager/contract/own-value'
import { PORTAL_ZONE } from '../../definitions/time-zone.ts'
import type { PageResult } from '../../embed-page/session/page-data.ts'
import { atLevel } from '../../embed-page/state/drill-level.ts'
import { filterLines } from '../../embed-page/state/page-filters.ts'
import { EmbedProblem } from '../../embed-page/state/problem.ts'
import { activePage, type ReportState } from '../../embed-page/state/report-state.ts'
import { pathOf } from '../../embed-page/state/selection.ts'
import { readingOrder } from '../../embed-page/view/layout/page-layout.ts'
import { columnHeading } from '../../embed-page/view/tables/column-heading.ts'
import { exportedRows } from '../../embed-page/view/tables/data-csv.ts'
import { cutTextsSentence } from '../../embed-page/view/tables/drawn-columns.ts'
import type { EmbeddedReport, EmbeddedVisual, VisualData } from '../../wire/embed-contract.ts'
import { sheetNames } from './format/sheet-names.ts'
import { ABOUT } from './format/workbook-parts.ts'
import type { Fact } from './format/written-workbook.ts'
import type { DataSheet, Workbook } from './workbook.ts'

/** A page of the report, or one of its visuals, as a reader sees it. */
interface WorkbookPart {
  state: ReportState
  /** The answers of its visuals. */
  result: PageResult
}

interface About {
  /** For whom the file is, as its first sheet says. */
  person: string | undefined
  /** When the data was last refreshed (ISO). */
  dataTime: string | undefined
  /** Milliseconds since the epoch. */
  created: number
}

/** Cells of all sheets together; a visual that would exceed them gets no sheet. */
const MAX_CELLS = 1_000_000
/** Values of a filter that are listed; from more, all but three are counted. */
const MAX_VALUES = 100

/**
 * Collects the content of a file with one sheet for each visual that has rows. Cells are counted as
 * pages are added, so that no more than the file's own are in memory.
 */
export const collectWorkbook = (report: EmbeddedReport) => {
  const nameSheet = sheetNames([ABOUT])
  const sheets: DataSheet[] = []
  const contents: Fact[][] = [['Planilha', 'Visual', 'Página', 'Linhas', 'Observação']]
  const states: ReportState[] = []
  let cells = 0

  const addSheet = (state: ReportState, visual: EmbeddedVisual, data: VisualData): Fact[] => {
    const shown = atLevel(visual, pathOf(state, visual))
    const rows = exportedRows(shown, data)
    cells += rows.length * data.columns.length
    if (cells > MAX_CELLS) {
      cells -= rows.length * data.columns.length
      return [
        '',
        0,
        `Sem planilha: o arquivo chegou a ${inWords(MAX_CELLS)} células. Exporte este visual sozinho.`,
      ]
    }
    const notes = [
      ...(data.truncated
        ? [`Só as primeiras ${inWords(rows.length)} linhas: há mais. Use os filtros para exportar as outras.`]
        : []),
      ...(data.cutTexts ? [cutTextsSentence(data.cutTexts)] : []),
    ]
    const note = notes.length > 0 ? notes.join(' ') : undefined
    const name = nameSheet(visual.title)
    sheets.push({
      name,
      columns: data.columns.map((column, index) => ({
        heading: columnHeading(shown, column),
        kind: data.kinds[index],
        format: ownValue(visual.format, column),
      })),
      rows,
      note,
    })
    return [name, rows.length, note ?? '']
  }

  const add = ({ state, result }: WorkbookPart): void => {
    states.push(state)
    const page = activePage(state)
    for (const visual of readingOrder(page.visuals)) {
      const data = ownValue(result, visual.name)
      if (!data) continue
      const [name = '', count = 0, note = ''] =
        data instanceof EmbedProblem
          ? ['', 0, `Sem planilha: ${data.message}`]
          : data.rows.length === 0
            ? ['', 0, 'Sem planilha: não há dados com estes filtros.']
            : addSheet(state, visual, data)
      contents.push([name, visual.title, page.displayName, count, note])
    }
  }
  return {
    add,
    describe: (about: About): Workbook => ({
      title: report.name,
      created: about.created,
      facts: factsOf(report, states, about),
      contents,
      labels: labelsOf(report),
      sheets,
    }),
  }
}

const factsOf = (report: EmbeddedReport, added: ReportState[], { person, dataTime, created }: About) => {
  const states = [...new Map(added.map((state) => [state.activePage, state])).values()]
  const pages = states.map((state) => activePage(state).displayName)
  const filters = states.flatMap((state) =>
    filterLines(state, state.activePage, MAX_VALUES).map((line) =>
      states.length > 1 ? `${activePage(state).displayName}: ${line}` : line,
    ),
  )
  const facts: Workbook['facts'] = [[pages.length > 1 ? 'Páginas' : 'Página', pages.join(', ')]]
  if (dataTime) facts.push(['Dados de', { instant: Date.parse(dataTime) }])
  facts.push(['Exportado em', { instant: created }])
  if (person) facts.push(['Exportado por', person])
  facts.push(['Fuso horário', 'Brasília'])
  if (report.timeZone !== PORTAL_ZONE) facts.push(['Fuso horário dos dados', report.timeZone])
  const lines = filters.length ? filters : ['Nenhum']
  for (const [index, line] of lines.entries()) facts.push([index ? '' : 'Filtros', line])
  if (report.notice) facts.push(['Aviso', report.notice])
  return facts
}

const labelsOf = ({ values = {} }: EmbeddedReport): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([value, { label }]) => (label === undefined ? [] : [[value, label]])),
  )

const inWords = (count: number) => count.toLocaleString('pt-BR')
