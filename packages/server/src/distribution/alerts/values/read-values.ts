import {
  type AlertCell,
  type AlertForm,
  type AlertForms,
  type AlertRow,
  type AlertVisuals,
  OFFERED_ROWS,
  ownValue,
  type PanelChoice,
  type PanelField,
  panelFiltersOf,
  panelOptionOf,
  parseReportFilters,
} from '@bi-manager/contract'
import { type ConnectionServices, type EffectiveIdentity, panelOf } from '../../../connections/index.ts'
import { Problem } from '../../../platform/lib/problem.ts'
import {
  createReportData,
  type ExportableReport,
  exportAddress,
  exportFilter,
  isNumberKind,
  openingFilters,
  type ReportDefinition,
} from '../../../reports/index.ts'
import type { Reading } from './decide-outcome.ts'
import { columnOfOtherType, isInstantInUtc, keyParts, rowsWithKey } from './row-keys.ts'

export type ReadingServices = Pick<
  ConnectionServices,
  'config' | 'db' | 'secrets' | 'embedIssuer' | 'powerBi'
>

export interface ReadPage {
  definition: ReportDefinition
  page: ReportDefinition['pages'][number]
  panel: PanelField[]
  data: Awaited<ReturnType<ReturnType<typeof createReportData>['read']>>
}

interface Asked {
  identity: EffectiveIdentity | undefined
  /** The local service serves readers in turns, and limits the unread answers of each. */
  reader: string
  /** Undefined: the first page with rows. */
  pagina: string | undefined
  filtros: PanelChoice
  /** Undefined: all visuals with rows. */
  visuais?: readonly string[]
}

/**
 * Reads the values of a page of a report of the local service, with the rows of this identity.
 * @throws Problem `alerta_sem_valor` when the page is gone
 */
export const readPage = async (
  services: ReadingServices,
  report: ExportableReport,
  { identity, reader, pagina, filtros, visuais }: Asked,
): Promise<ReadPage> => {
  const { embedIssuer, secrets, config } = services
  const { connection, groupId, reportId } = exportAddress(report, services)
  const reference = { connection, groupId, reportId, datasetsAdicionais: report.datasetsAdicionais }
  const issued = await embedIssuer.issue(reference, identity, { reader: secrets.digest(`leitor:${reader}`) })
  const data = createReportData(config.bi)
  const opened = { token: issued.token, reportId }
  const definition = await data.describe(opened)
  const withRows = (one: ReadPage['page']) => one.visuals.some(({ columns }) => columns.length > 0)
  const page = pagina
    ? definition.pages.find(({ name }) => name === pagina)
    : (definition.pages.find(withRows) ?? definition.pages[0])
  if (!page) throw new Problem('alerta_sem_valor')
  const panel = panelOf(report, issued.panel)
  const filters = openingFilters(definition, page, registeredFilters(report.filtro, panel, filtros))
  const known = page.visuals.filter(({ columns }) => columns.length > 0).map(({ name }) => name)
  const visuals = visuais ? known.filter((name) => visuais.includes(name)) : known
  const read = visuals.length > 0 ? await data.read(opened, { page: page.name, filters, visuals }) : NOTHING
  return { definition, page, panel, data: read }
}

const NOTHING = { visuals: {}, failures: {} }

const registeredFilters = (filtro: string | null, panel: PanelField[], filtros: PanelChoice) => {
  try {
    const text = exportFilter(filtro, panelFiltersOf(panel, filtros))
    return text ? parseReportFilters(text) : []
  } catch (error) {
    if (error instanceof Problem && error.codigo === 'exportacao_vazia')
      throw new Problem('alerta_sem_valor', {
        detail: 'Os filtros escolhidos não combinam com o filtro do relatório: não há linhas.',
      })
    throw error
  }
}

/** Returns what the form offers of a page. */
export const offeredVisuals = ({ definition, page, data }: ReadPage): AlertVisuals => ({
  paginas: definition.pages.map(({ name, displayName }) => ({ nome: name, titulo: displayName })),
  pagina: page.name,
  visuais: page.visuals.flatMap((visual) => {
    const answer = ownValue(data.visuals, visual.name)
    if (!answer) return []
    const main = mainColumn(visual, answer)
    const columns = [...answer.columns].sort((a, b) => Number(b === main) - Number(a === main))
    const places = columns.map((column) => answer.columns.indexOf(column))
    const rows = rowsOf(visual, answer).map((row) => places.map((at) => row[at] ?? null))
    const linhas = rows.slice(0, OFFERED_ROWS)
    return [
      {
        nome: visual.name,
        titulo: visual.title || visual.name,
        colunas: columns.map((column, at) => ({
          nome: column,
          rotulo: labelOf(visual, answer, column),
          ...formOf(visual, answer, column),
          numerica:
            isNumberKind(answer.kinds[places[at] ?? -1]) ||
            rows.every((row) => typeof row[at] === 'number' || row[at] === null),
        })),
        linhas,
        cortado: linhas.length < rows.length || (answer.truncated && !isCard(visual)),
      },
    ]
  }),
})

type Visual = ReadPage['page']['visuals'][number]
type Answer = ReadPage['data']['visuals'][string]

const isCard = ({ type }: Visual): boolean => type === 'card'

/** A card shows its last row; the others are its trend. */
const rowsOf = (visual: Visual, { rows }: Answer): Answer['rows'] => (isCard(visual) ? rows.slice(-1) : rows)

/** Returns the column of a card's large number, as the embed page chooses it. */
const mainColumn = (visual: Visual, { columns, kinds, rows }: Answer): string | undefined => {
  const { value, previous, detail } = visual.option
  if (!isCard(visual)) return undefined
  if (typeof value === 'string') return value
  const free = columns.filter((column) => column !== previous && column !== detail)
  const isNumber = (column: string) => {
    const at = columns.indexOf(column)
    const cell = rows.at(-1)?.[at] ?? null
    return typeof cell === 'number' || (cell !== null && isNumberKind(kinds[at]))
  }
  return free.find(isNumber) ?? free[0]
}

/** The number of a card has the card's title. */
export const labelOf = (visual: Visual, answer: Answer | undefined, column: string): string =>
  ownValue(visual.labels, column) ??
  (answer && column === mainColumn(visual, answer) ? visual.title || visual.name : column)

/** Moments that are all at midnight are days: `date_trunc` returns moments. */
const formOf = ({ format }: Visual, { columns, kinds, rows }: Answer, column: string): AlertForm => {
  const at = columns.indexOf(column)
  const tipo = kinds[at] ?? null
  const isTimed = (row: AlertCell[]) => typeof row[at] === 'string' && !row[at].endsWith('T00:00:00')
  return {
    tipo: tipo === 'timestamp' && !rows.some(isTimed) ? 'date' : tipo,
    formato: ownValue(format, column) ?? null,
  }
}

/** Returns how the columns of an alert's row are written; null without a row. */
export const formsOf = (
  { page, data }: ReadPage,
  { visual, linha }: Pick<Cell, 'visual' | 'linha'>,
): AlertForms | null => {
  const shown = page.visuals.find(({ name }) => name === visual)
  const answer = shown && ownValue(data.visuals, shown.name)
  if (!answer || linha === null) return null
  return Object.fromEntries(
    Object.keys(linha)
      .filter((column) => answer.columns.includes(column))
      .map((column) => [column, formOf(shown, answer, column)]),
  )
}

interface Cell {
  visual: string | null
  coluna: string | null
  linha: AlertRow | null
}

/**
 * Returns the value of a cell; an absent row is absent.
 * @throws Problem `alerta_sem_valor` when the visual, its column or its only row is gone, or the
 * value is a text
 */
export const cellOf = ({ definition, page, data }: ReadPage, { visual, coluna, linha }: Cell): Reading => {
  // A name that is no visual's, such as `toString`, must not be looked up in the answers.
  const shown = page.visuals.find(({ name }) => name === visual)
  if (!shown) throw new Problem('alerta_sem_valor')
  const failure = ownValue(data.failures, shown.name)
  if (failure) throw new Problem('bi_resposta_invalida', { detail: failure.message })
  const answer = ownValue(data.visuals, shown.name)
  if (!answer) throw new Problem('alerta_sem_valor')
  const at = answer.columns.indexOf(coluna ?? '')
  const key = keyParts(linha, answer.columns)
  if (at < 0 || key.some((part) => part.at < 0)) throw new Problem('alerta_sem_valor')
  const zone = definition.timeZone ?? PORTAL_ZONE
  const [row, ...more] = rowsWithKey(rowsOf(shown, answer), key, answer.kinds, zone)
  if (!row) {
    // It may be there under a key of the clock of the dataset.
    if (key.some((part) => isInstantInUtc(part.value, answer.kinds[part.at])))
      throw new Problem('alerta_sem_valor', { detail: IN_UTC })
    if (answer.truncated) throw new Problem('alerta_sem_valor', { detail: CUT })
    const changed = columnOfOtherType(key, answer.kinds)
    if (changed !== undefined) throw new Problem('alerta_sem_valor', { detail: otherType(changed) })
    return { isPresent: false, valor: null }
  }
  if (more.length > 0) throw new Problem('alerta_sem_valor', { detail: SEVERAL })
  return readingOf(row[at], answer.kinds[at])
}

const CUT = 'O visual tem linhas demais, e a linha deste alerta não está entre as que o relatório mostra.'
/** The clock of reports of an earlier version of the report service. */
const PORTAL_ZONE = 'America/Sao_Paulo'
const IN_UTC =
  'A linha deste alerta foi escolhida em uma versão anterior, pela hora de Greenwich, e não está mais no visual. Edite o alerta e escolha a linha.'
const otherType = (column: string) =>
  `A coluna ${column} mudou de tipo desde que a linha deste alerta foi escolhida, e nenhuma linha a identifica mais. Edite o alerta e escolha a linha.`
const SEVERAL =
  'O visual tem mais de uma linha que combina com este alerta. Edite o alerta e escolha a linha.'

/**
 * A limit has at most 15 digits: digits that no double holds do not decide whether it is crossed.
 * Without a value: a text, and what is not a number, such as the result of a division by zero.
 */
function readingOf(cell: AlertCell | undefined, kind?: string): Reading {
  const isPresent = cell !== null && cell !== undefined && cell !== ''
  const isRead = typeof cell === 'number' || (isPresent && isNumberKind(kind))
  const number = isRead ? Number(cell) : Number.NaN
  return { isPresent, valor: Number.isFinite(number) ? number : null }
}

/** Returns the query of the report's address, and the filters in words. */
export const contentOf = (
  panel: readonly PanelField[],
  { idRelatorio, pagina, filtros }: { idRelatorio: number; pagina: string | null; filtros: PanelChoice },
) => {
  const search = new URLSearchParams({ relatorio: String(idRelatorio) })
  if (pagina) search.set('pagina', pagina)
  const chosen = panel.map((field) => ({
    field,
    option: panelOptionOf(field, ownValue(filtros, field.nome)),
  }))
  for (const { field, option } of chosen) {
    // Without a value in the address, the viewer would choose the field's default.
    if (option || field.padrao) search.set(field.nome, option?.valor ?? '')
  }
  const words = chosen.flatMap(({ field, option }) => (option ? [`${field.rotulo}: ${option.rotulo}`] : []))
  return { endereco: String(search), emPalavras: words.join('; ') || null }
}

/**
 * Returns the value of a DAX query at Power BI, which must have one column and at most one row.
 * @throws Problem `consulta_recusada`
 */
export const readQuery = async (
  services: ReadingServices,
  report: ExportableReport,
  { identity, consulta }: { identity: EffectiveIdentity | undefined; consulta: string },
): Promise<Reading> => {
  const refused = (detail: string) => new Problem('consulta_recusada', { detail })
  // The call takes a user's name only, and would show other rows than the report.
  if (identity?.roles || identity?.customData)
    throw refused('Uma consulta DAX não aplica os papéis de segurança de linha deste relatório.')
  const { connection, groupId, reportId } = exportAddress(report, services)
  const reference = { connection, groupId, reportId, datasetsAdicionais: report.datasetsAdicionais }
  await services.embedIssuer.identitiesFor(reference, identity)
  const place = await services.embedIssuer.placeOfDataset(reference)
  const { isRefused, rows } = await services.powerBi.runQuery(connection, place, {
    query: consulta,
    user: identity?.username,
  })
  if (isRefused) throw refused('O Power BI recusou a consulta DAX. Confira o texto e as tabelas.')
  const [row, ...more] = rows
  if (!row) return { isPresent: false, valor: null }
  const cells = Object.values(row)
  if (more.length > 0 || cells.length !== 1)
    throw refused(
      'O resultado da consulta precisa ter uma linha e uma coluna, como EVALUATE ROW("Total", [Total]).',
    )
  const [cell] = cells
  return readingOf(typeof cell === 'number' || typeof cell === 'string' ? cell : null)
}
