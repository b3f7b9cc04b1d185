import {
  type AlertDraft,
  type AlertForms,
  type AlertOptions,
  type AlertSource,
  ownValue,
} from '@bi-manager/contract'
import { effectiveIdentityOf } from '../../connections/index.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { isPlainlyPrivate } from '../../platform/lib/public-call.ts'
import type { ExportableReport } from '../../reports/index.ts'
import { refuse } from '../deliveries/own-rows.ts'
import { decideOutcome, type Reading } from './values/decide-outcome.ts'
import {
  cellOf,
  contentOf,
  formsOf,
  labelOf,
  type ReadingServices,
  readPage,
  readQuery,
} from './values/read-values.ts'
import { NOT_PUBLIC } from './webhook.ts'

/** Returns what an alert of this person on the report watches, or why there can be none. */
export const sourceOf = (
  { tipoRelatorio, provedor, papeisRls }: ExportableReport,
  { tipo }: Pick<Caller, 'tipo'>,
): Pick<AlertOptions, 'origem' | 'impedimento'> => {
  const none = (impedimento: string) => ({ origem: null, impedimento })
  if (tipoRelatorio === 'PAGINADO') return none('Um relatório paginado não tem alertas.')
  if (provedor === 'local') return { origem: 'VISUAL', impedimento: null }
  if (tipo !== 'ADMIN')
    return none('Em relatórios do Power BI da Microsoft, só um administrador cria alertas, por consulta DAX.')
  if (papeisRls.length > 0)
    return none('Uma consulta DAX não aplica os papéis de segurança de linha deste relatório.')
  return { origem: 'DAX', impedimento: null }
}

/** What an alert has besides its draft. */
export interface Completed {
  reading: Reading
  formas: AlertForms | null
  tituloPagina: string | null
  tituloVisual: string | null
  rotuloColuna: string | null
  formato: string | null
  endereco: string
  emPalavras: string | null
}

/**
 * Reads the value that a draft watches, as its owner sees it.
 * @throws Problem 422 at the field that does not fit the report or the owner
 */
export const completeDraft = async (
  services: ReadingServices,
  report: ExportableReport,
  draft: AlertDraft,
  user: Caller,
): Promise<Completed> => {
  const { origem, impedimento } = sourceOf(report, user)
  if (origem !== draft.origem) refuse('origem', impedimento ?? WRONG[draft.origem])
  if (draft.webhook !== null) assertWebhook(services, draft.webhook, user)
  const identity = effectiveIdentityOf(report, user)
  const { pagina, visual, coluna, linha, filtros, consulta, condicao } = draft
  const { idRelatorio } = report
  if (draft.origem === 'DAX') {
    const reading = await readQuery(services, report, { identity, consulta: consulta ?? '' })
    const titles = { tituloPagina: null, tituloVisual: null, rotuloColuna: null, formato: null }
    return { reading, formas: null, ...titles, ...contentOf([], { idRelatorio, pagina: null, filtros: {} }) }
  }
  const read = await readPage(services, report, {
    identity,
    reader: String(user.idUsuario),
    pagina: pagina ?? '',
    filtros,
    visuais: [visual ?? ''],
  })
  const reading = cellOf(read, { visual, coluna, linha })
  if (reading.isPresent && reading.valor === null && condicao !== 'AUSENTE')
    refuse('coluna', 'Esta coluna não tem números. Escolha outra, ou a condição “ausente”.')
  if (!reading.isPresent && linha !== null && condicao !== 'AUSENTE')
    refuse('linha', 'Esta linha não existe mais, ou está vazia. Escolha outra.')
  const shown = read.page.visuals.find(({ name }) => name === visual)
  const column = coluna ?? ''
  return {
    reading,
    formas: formsOf(read, draft),
    tituloPagina: read.page.displayName,
    tituloVisual: shown?.title || visual,
    rotuloColuna: shown ? labelOf(shown, ownValue(read.data.visuals, shown.name), column) : coluna,
    formato: ownValue(shown?.format, column) ?? null,
    ...contentOf(read.panel, { idRelatorio, pagina, filtros }),
  }
}

const WRONG: Record<AlertSource, string> = {
  VISUAL: 'Neste relatório, um alerta usa uma consulta DAX.',
  DAX: 'Só em relatórios do Power BI da Microsoft um alerta usa uma consulta DAX.',
}

const assertWebhook = ({ config }: ReadingServices, address: string, { tipo }: Caller): void => {
  if (tipo !== 'ADMIN') refuse('webhook', 'Só um administrador usa um webhook.')
  if (isPlainlyPrivate(address, config.webhooks.privateHosts)) refuse('webhook', NOT_PUBLIC)
}

/** Returns the state with which later values are compared. */
export const initialState = (draft: AlertDraft, reading: Reading) => {
  const begin = { estado: 'AGUARDA', valor: null, referencia: null } as const
  const { resultado, estado, referencia } = decideOutcome({ ...draft, ...begin }, reading)
  return { resultado, estado, referencia, valor: reading.valor }
}
