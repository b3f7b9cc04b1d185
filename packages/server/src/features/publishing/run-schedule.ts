import { createHash } from 'node:crypto'
import { type DataSchedule, SCHEDULED_FILE_BYTES } from '@bi-manager/contract'
import type { FastifyBaseLogger } from 'fastify'
import { inTransaction } from '../../db/in-transaction.ts'
import type { Services } from '../../http/services.ts'
import { download, RefusedDownload } from '../../lib/download.ts'
import { Problem } from '../../lib/problem.ts'
import { notify } from '../../notifications/notify.ts'
import { markNotificationsResolved } from '../../notifications/resolve-notifications.ts'
import { getLocalConnection } from './local-connection.ts'
import { findSchedule, type RunResult, type ScheduleRow, storeRun } from './schedules.repository.ts'
import { RefusedFile, readSourceFile } from './source-file.ts'

export type RunServices = Pick<
  Services,
  'config' | 'db' | 'secrets' | 'drafts' | 'published' | 'recordAudit' | 'now'
>
type Log = Pick<FastifyBaseLogger, 'error'>

/** The author of versions that a schedule publishes. */
const AUTHOR = 'Agendamento'

/** Milliseconds for a download. */
const DOWNLOAD_MS = 60_000

/**
 * Reads the file of a schedule, replaces the report's data unless the file is the last one, and
 * stores the result. A failure leaves the data as it was, and is notified once until it changes.
 */
export const runSchedule = async (services: RunServices, row: ScheduleRow, log: Log): Promise<void> => {
  const { db, now } = services
  const result = await replaceFrom(services, row).catch((error: unknown) => failureOf(error, log))
  const subject = `agenda-dados:${row.reportId}:`
  await inTransaction(db, async (tx) => {
    // It may have been changed or removed during the run.
    const current = await findSchedule(tx, row.reportId)
    if (current?.idAgenda !== row.idAgenda || current.endereco !== row.endereco) return
    await storeRun(tx, row.idAgenda, result, now())
    if (result.resultado !== 'FALHOU') return markNotificationsResolved(tx, { prefix: subject }, now())
    if (current.resultado === 'FALHOU' && current.frase === result.frase) return
    await notify(
      tx,
      'administradores',
      {
        tipo: 'sistema_com_problema',
        titulo: 'Falhou a troca agendada dos dados de um relatório',
        texto: `${result.frase} Os dados anteriores continuam no ar.`,
        rota: `/publicados/${row.reportId}`,
        assunto: `${subject}${now().toISOString()}`,
      },
      now(),
    )
  })
}

const replaceFrom = async (services: RunServices, row: ScheduleRow): Promise<RunResult> => {
  const { db, drafts, published, recordAudit } = services
  const bytes = await readSource(services, row)
  const name = nameOf(bytes)
  const resumo = createHash('sha256').update(bytes).digest('hex')
  if (resumo === row.resumo)
    return { resultado: 'INALTERADO', frase: 'O arquivo é o mesmo da última troca: nada mudou.' }
  const { reportId, tabela } = row
  const connection = await getLocalConnection(services)
  const caller = { connection, person: services.secrets.digest(`publicacoes:agenda:${reportId}`) }
  const rascunho = await drafts.send(caller, name, bytes)
  try {
    const details = { reportId, tabela, causa: 'agenda' }
    await inTransaction(db, (tx) =>
      recordAudit(tx, {
        ...{
          action: 'publication.data-replaced',
          idUsuario: null,
          subject: `powerbi:${connection.id}`,
          details,
        },
      }),
    )
    const { erros, linhas } = await published.replaceData(caller, reportId, {
      ...{ rascunho, tabela, autor: AUTHOR },
    })
    if (erros.length > 0) return { resultado: 'FALHOU', frase: sentenceOf(erros) }
    const rows = linhas.toLocaleString('pt-BR')
    return { resultado: 'SUBSTITUIDO', frase: `Dados substituídos (${rows} linhas).`, resumo }
  } finally {
    await drafts.discard(caller, rascunho).catch(() => undefined)
  }
}

const readSource = async (
  { config, secrets }: RunServices,
  { origem, endereco }: ScheduleRow,
): Promise<Buffer<ArrayBuffer>> => {
  const { filesDir, privateHosts } = config.dataSources
  const place = secrets.open(endereco)
  if (origem === 'PASTA') {
    if (!filesDir) throw new RefusedFile('O operador não permite mais uma pasta de dados (DATA_FILES_DIR).')
    return readSourceFile(filesDir, place, SCHEDULED_FILE_BYTES)
  }
  return download(place, {
    ...{ routes: config.outbound, privateHosts },
    ...{ maxBytes: SCHEDULED_FILE_BYTES, timeoutMs: DOWNLOAD_MS },
  })
}

/** Returns a name with the extension of the content: an address need not end with one. */
const nameOf = (bytes: Buffer): string => {
  const start = bytes.subarray(0, 4).toString('latin1')
  if (start === 'PK\u0003\u0004')
    throw new RefusedFile('O arquivo é uma planilha XLSX: no agendamento, use CSV ou Parquet.')
  if (/^\s*<(!doctype|html)/i.test(bytes.subarray(0, 200).toString('latin1')))
    throw new RefusedFile('O endereço respondeu uma página, como a de entrada, e não um arquivo.')
  return start === 'PAR1' ? 'Arquivo agendado.parquet' : 'Arquivo agendado.csv'
}

const LONGEST = 1_000
const sentenceOf = (faults: string[]): string => `${faults.slice(0, 3).join('; ').slice(0, LONGEST)}.`

const failureOf = (error: unknown, log: Log): RunResult => {
  const isSaid = error instanceof RefusedFile || error instanceof RefusedDownload || error instanceof Problem
  if (!isSaid) log.error({ err: error }, 'a scheduled replacement of data failed')
  const frase = isSaid ? error.message : 'A troca falhou por um erro do portal, que está no registro (log).'
  return { resultado: 'FALHOU', frase }
}

/** Returns what the audit may say of a place: addresses may contain keys. */
export const auditedPlace = ({ origem, endereco }: Pick<DataSchedule, 'origem' | 'endereco'>): string =>
  origem === 'URL' ? new URL(endereco).host : endereco
