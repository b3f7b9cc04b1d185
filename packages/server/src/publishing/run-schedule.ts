import { createHash } from 'node:crypto'
import { type DataSchedule, SCHEDULED_FILE_BYTES } from '@bi-manager/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../platform/db/open-database.ts'
import { inTransaction } from '../platform/db/transactions/in-transaction.ts'
import { holdClaim, isSpent, pauseAfter, settle } from '../platform/jobs/work-queue.ts'
import { countText } from '../platform/lib/count-text.ts'
import { download, RefusedDownload } from '../platform/lib/download.ts'
import { orUndefined } from '../platform/lib/or-undefined.ts'
import { Problem } from '../platform/lib/problem.ts'
import { nextRun } from '../platform/lib/recurrence.ts'
import { notify, takeBack } from '../platform/notifications/notify.ts'
import { PUBLICATION_MS } from './draft-api.ts'
import { getLocalConnection } from './local-connection.ts'
import { auditedPublication, type Order } from './publication-audit.ts'
import { type ClaimedRun, findSchedule, type ScheduleRow, scheduleQueue } from './schedules.repository.ts'
import type { PublishingServices } from './services.ts'
import { RefusedFile, readSourceFile } from './source-file.ts'

export type RunServices = Pick<
  PublishingServices,
  'config' | 'db' | 'secrets' | 'drafts' | 'published' | 'writeAudit' | 'now'
>
type Log = Pick<FastifyBaseLogger, 'error'>

/** The author of versions that a schedule publishes. */
const AUTHOR = 'Agendamento'

/** Milliseconds for a download. */
const DOWNLOAD_MS = 60_000

/** Milliseconds before each repetition of a due run after a failure that may pass. */
const RETRIES = [5 * 60_000, 5 * 60_000, 5 * 60_000]

/** Returns the milliseconds of a run: a download, a publication, and other calls. */
export const leaseMsOf = ({ config }: Pick<RunServices, 'config'>): number =>
  DOWNLOAD_MS + PUBLICATION_MS + 6 * config.bi.timeoutMs + 60_000

/** The subject of a schedule's failures. */
export const scheduleSubject = (reportId: string): string => `agenda-dados:${reportId.toLowerCase()}`

/**
 * Reads the file of a claimed schedule, replaces the report's data unless the file is the last one,
 * and stores the result. A failure leaves the data as it was. One that may pass is tried again; a
 * lasting one is notified once until it changes.
 * @returns false when the schedule was changed or removed while the file was read: nothing was replaced
 */
export const runSchedule = async (services: RunServices, run: ClaimedRun, log: Log): Promise<boolean> => {
  const { db, now } = services
  const result = await replaceFrom(services, run, log).catch((error: unknown) => failureOf(error, log))
  await inTransaction(db, async (tx) => {
    const databaseTime = await holdClaim(tx, scheduleQueue, run.row)
    const current = databaseTime && (await findSchedule(tx, run.row.reportId))
    if (!current) return
    if (!result || !isUnchanged(run, current))
      return void (await settle(tx, scheduleQueue, run.row, { isCounted: true }))
    const { resultado, frase } = result
    const { set, ...next } = nextOf(run, result, databaseTime)
    const resumo = result.resultado === 'SUBSTITUIDO' ? { resumo: digestFor(run, current, result) } : {}
    const stored = { resultado, frase, ultimaEm: now(), ...resumo, ...set }
    await settle(tx, scheduleQueue, run.row, { ...next, set: stored })
    if (result.resultado === 'FALHOU') return notifyFailure(tx, run, result, services)
    await takeBack(tx, scheduleSubject(current.reportId))
  })
  return result !== undefined
}

/** Whether nobody saved the schedule since. A save encrypts the address again, so its text always differs. */
const isUnchanged = ({ row }: ClaimedRun, current: ScheduleRow): boolean => current.endereco === row.endereco

/**
 * Whether this process still has the claim, and the schedule is as it was claimed. The file may have taken
 * a minute to read.
 */
const isCurrent = async (db: Db, run: ClaimedRun): Promise<boolean> => {
  const { row } = run
  const databaseTime = await holdClaim(db, scheduleQueue, row)
  const current = await findSchedule(db, row.reportId)
  const isLeased = databaseTime !== undefined && row.ocupadaAte !== null && databaseTime < row.ocupadaAte
  return isLeased && current !== undefined && isUnchanged(run, current)
}

/** Another replacement during the run may be the later one: the next run repeats this one. */
const digestFor = ({ row }: ClaimedRun, current: ScheduleRow, { resumo }: Replaced): string | null =>
  current.resumo === row.resumo ? resumo : null

/** Returns the milliseconds until a failed run is repeated; undefined when it is not. */
const retryMs = ({ row, isDue }: ClaimedRun, result: RunResult): number | undefined =>
  isDue && result.resultado === 'FALHOU' && result.mayPass ? pauseAfter(row.tentativas, RETRIES) : undefined

/** Returns when a schedule runs next; an order that failed leaves that as it was. */
const nextOf = (run: ClaimedRun, result: RunResult, now: Date) => {
  const afterMs = retryMs(run, result)
  if (afterMs !== undefined) return { afterMs, isCounted: true }
  if (!run.isDue && result.resultado === 'FALHOU') return { isCounted: true }
  return { set: { proximaEm: nextRun(run.row, now), tentativas: 0 } }
}

const notifyFailure = async (
  tx: Db,
  run: ClaimedRun,
  result: Failed,
  { now }: RunServices,
): Promise<void> => {
  if (retryMs(run, result) !== undefined) return
  const { reportId } = run.row
  const bell = {
    titulo: 'Falhou a troca agendada dos dados de um relatório',
    texto: `${result.frase} Os dados anteriores continuam no ar.`,
    rota: `/publicados/${reportId}`,
  }
  const told = { subject: scheduleSubject(reportId), occurrence: result.frase }
  await notify(tx, { audience: 'administradores', kind: 'sistema_com_problema', ...told, bell }, now())
}

interface Replaced {
  resultado: 'SUBSTITUIDO'
  frase: string
  /** Digest of the file. */
  resumo: string
}
interface Failed {
  resultado: 'FALHOU'
  frase: string
  /** Whether the cause may pass within minutes. */
  mayPass: boolean
}
type RunResult = Replaced | Failed | { resultado: 'INALTERADO'; frase: string }

/** @returns undefined when the run is not this process's any more: nothing was replaced */
const replaceFrom = async (
  services: RunServices,
  run: ClaimedRun,
  log: Log,
): Promise<RunResult | undefined> => {
  const { row } = run
  const { db, drafts, published, writeAudit } = services
  if (isSpent(row.tentativas, RETRIES))
    throw new RefusedFile(`A troca falhou ou foi interrompida ${row.tentativas - 1} vezes seguidas.`)
  const bytes = await readSource(services, row)
  const resumo = createHash('sha256').update(bytes).digest('hex')
  if (resumo === row.resumo)
    return { resultado: 'INALTERADO', frase: 'O arquivo é o mesmo da última troca: nada mudou.' }
  const name = nameOf(bytes)
  const { reportId, tabela } = row
  const connection = await getLocalConnection(services)
  const caller = { connection, person: services.secrets.digest(`publicacoes:agenda:${reportId}`) }
  const { rascunho } = await drafts.send(caller, name, bytes)
  try {
    if (!(await isCurrent(db, run))) return undefined
    const details = { reportId, tabela, causa: 'agenda' }
    const subject = `powerbi:${connection.id}`
    const record = (line: Order) => inTransaction(db, (tx) => writeAudit(tx, { ...line, idUsuario: null }))
    const { erros, linhas, mudancas, avisos } = await auditedPublication(
      { db, connection, log },
      { order: record, end: record },
      { action: 'publication.data-replaced', subject, details },
      () => published.replaceData(caller, reportId, { rascunho, tabela, autor: AUTHOR, quotesData: false }),
    )
    if (erros.length > 0) return { resultado: 'FALHOU', frase: sentenceOf(erros), mayPass: false }
    return {
      resultado: 'SUBSTITUIDO',
      frase: `Dados substituídos (${countText(linhas, 'linha', 'linhas')}).${sentencesOf([...mudancas, ...avisos])}`,
      resumo,
    }
  } finally {
    await drafts.discard(caller, rascunho).catch(() => undefined)
  }
}

const readSource = async (
  { config, secrets }: RunServices,
  { origem, endereco }: ScheduleRow,
): Promise<Buffer<ArrayBuffer>> => {
  const { filesDir, privateHosts } = config.dataSources
  const place = orUndefined(() => secrets.decrypt(endereco))
  if (place === undefined)
    throw new RefusedFile('O endereço gravado não abre com as chaves do portal: grave o agendamento de novo.')
  if (origem === 'PASTA') {
    if (!filesDir) throw new RefusedFile('O operador não permite mais uma pasta de dados (DATA_FILES_DIR).')
    return readSourceFile(filesDir, place, SCHEDULED_FILE_BYTES)
  }
  return download(place, {
    routes: config.outbound,
    privateHosts,
    maxBytes: SCHEDULED_FILE_BYTES,
    timeoutMs: DOWNLOAD_MS,
  })
}

/** Returns the name that sentences have; the report service goes by the content as well. */
const nameOf = (bytes: Buffer): string => {
  const start = bytes.subarray(0, 200).toString('latin1')
  if (/^\s*<(!doctype|html)/i.test(start))
    throw new RefusedFile('O endereço respondeu uma página, como a de entrada, e não um arquivo.')
  if (start.startsWith('PAR1')) return 'Arquivo agendado.parquet'
  return start.startsWith('PK\u0003\u0004') ? 'Arquivo agendado.xlsx' : 'Arquivo agendado.csv'
}

const LONGEST = 1_000
const sentenceOf = (faults: string[]): string => `${faults.slice(0, 3).join('; ').slice(0, LONGEST)}.`

const MAX_CHANGES = 10
/** Returns the changes as sentences after another one. */
const sentencesOf = (changes: string[]): string =>
  changes
    .slice(0, MAX_CHANGES)
    .map((one) => ` ${one.charAt(0).toLocaleUpperCase('pt-BR')}${one.slice(1)}.`)
    .join('')

const failureOf = (error: unknown, log: Log): Failed => {
  const resultado = 'FALHOU' as const
  if (error instanceof RefusedFile || error instanceof RefusedDownload)
    return { resultado, frase: error.message, mayPass: error.mayPass }
  if (error instanceof Problem) return { resultado, frase: error.message, mayPass: mayProblemPass(error) }
  log.error({ err: error }, 'a scheduled replacement of data failed')
  const frase = 'A troca falhou por um erro do portal, que está no registro (log).'
  return { resultado, frase, mayPass: true }
}

/** The report service is busy, restarts, or does not answer. */
const mayProblemPass = ({ codigo, status }: Problem): boolean =>
  status >= 503 || codigo === 'bi_resposta_invalida' || codigo === 'publicacao_em_andamento'

/** Returns what the audit may say of a place: addresses may contain keys. */
export const auditedPlace = ({ origem, endereco }: Pick<DataSchedule, 'origem' | 'endereco'>): string =>
  origem === 'URL' ? new URL(endereco).host : endereco
