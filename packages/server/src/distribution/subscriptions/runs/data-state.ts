import { sql } from 'kysely'
import {
  type ConnectionServices,
  type DatasetPlace,
  dataTimeOf,
  lastRefreshDue,
  type ReadSchedule,
} from '../../../connections/index.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { momentText } from '../../../platform/lib/local-time.ts'
import { Problem } from '../../../platform/lib/problem.ts'
import { exportAddress } from '../../../reports/index.ts'
import type { RunRow } from '../mails/run-mails.ts'

type Needs = Pick<
  ConnectionServices,
  'config' | 'db' | 'secrets' | 'powerBi' | 'embedIssuer' | 'refreshHistories' | 'now'
>

/** What is known of a report's data before they are drawn. */
interface DataState {
  /** When they were last refreshed; undefined when the provider does not say. */
  time: Date | undefined
  /** Why nothing may be sent, in Portuguese. */
  skipReason: string | undefined
  /** Whether the reason may be over in some minutes: a refresh is due or in progress. */
  mayPass: boolean
}

const minute = 60_000

/** Milliseconds for which a refresh may be late: Microsoft begins one up to an hour later. */
const LATE_MS = 90 * minute

/**
 * Checks the data of a report by its refreshes: they are not sent when the last refresh failed, or
 * when the schedule says that they should be newer. Data without a history (those queried at their
 * source, and those of paginated reports) are not checked.
 */
export const checkData = async (services: Needs, row: RunRow): Promise<DataState> => {
  if (row.tipoRelatorio === 'PAGINADO') return unknown
  const failure = await failedReplacement(services.db, row)
  if (failure !== undefined) return { time: undefined, skipReason: failure, mayPass: false }
  const { connection, ...address } = exportAddress(row, services)
  const { datasetsAdicionais } = row
  const place = await services.embedIssuer.placeOfDataset({ connection, ...address, datasetsAdicionais })
  const refreshes = await readRefreshes(services, place)
  if (!refreshes) return unknown
  const time = dataTimeOf(refreshes)
  const ended = refreshes.find(({ state }) => state === 'completed' || state === 'failed')
  if (ended?.state === 'failed') {
    const at = momentText(ended.endedAt ?? ended.startedAt)
    return { time, skipReason: `A última atualização dos dados falhou, em ${at}.`, mayPass: false }
  }
  const due = await lastDue(services, place)
  const isDone = ({ state, startedAt }: (typeof refreshes)[number]) =>
    state === 'completed' && due !== undefined && startedAt.getTime() >= due.getTime() - minute
  if (!due || refreshes.some(isDone)) return { time, skipReason: undefined, mayPass: false }
  const skipReason = `Os dados são de ${time ? momentText(time) : 'data desconhecida'}, e a atualização marcada para ${momentText(due)} não terminou.`
  return { time, skipReason, mayPass: services.now().getTime() - due.getTime() < LATE_MS }
}

const unknown: DataState = { time: undefined, skipReason: undefined, mayPass: false }

const readRefreshes = async ({ refreshHistories }: Needs, place: DatasetPlace) => {
  try {
    return await refreshHistories.read(place, minute)
  } catch (error) {
    // A dataset that is queried at its source has no history.
    if (error instanceof Problem && error.status < 503) return undefined
    throw error
  }
}

/** Returns when the dataset should last have been refreshed; undefined without a known schedule. */
const lastDue = async ({ powerBi, now }: Needs, place: DatasetPlace): Promise<Date | undefined> => {
  if (place.connection.provider !== 'microsoft') return undefined
  const { connection, groupId, datasetId } = place
  let schedule: ReadSchedule
  try {
    schedule = await powerBi.getRefreshSchedule(connection, groupId, datasetId)
  } catch (error) {
    if (error instanceof Problem && error.status < 503) return undefined
    throw error
  }
  return lastRefreshDue(schedule, now())
}

/** Returns the failure of the schedule that replaces the data of a report at the local service. */
const failedReplacement = async (
  db: Db,
  { provedor, reportId, idRelatorio }: RunRow,
): Promise<string | undefined> => {
  if (provedor !== 'local') return undefined
  // Reports of one dataset share its data.
  const { rows } = await sql<{ frase: string | null; ultimaEm: Date | null }>`
    select frase, ultima_em from agenda_dados
    where ativa and resultado = 'FALHOU' and report_id in (
      select ${reportId.toLowerCase()}::text
      union
      select lower(outro.report_id) from conjunto_relatorio esta
      join conjunto_relatorio outro on outro.id_conjunto = esta.id_conjunto
      where esta.id_relatorio = ${idRelatorio})
    limit 1`.execute(db)
  const [row] = rows
  if (!row) return undefined
  return `A troca agendada dos dados falhou${row.ultimaEm ? `, em ${momentText(row.ultimaEm)}` : ''}. ${row.frase ?? ''}`.trim()
}
