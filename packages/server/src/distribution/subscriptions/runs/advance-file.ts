import { isUnanswered } from '../../../connections/index.ts'
import { databaseNow, fromNow } from '../../../platform/db/database-clock.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { inTransaction } from '../../../platform/db/transactions/in-transaction.ts'
import { insistOnWrite } from '../../../platform/db/transactions/insist-on-write.ts'
import { keepPendingFile } from '../../../platform/files/pending-files.ts'
import { holdClaim, isSpent, PAUSES, pauseAfter, settle } from '../../../platform/jobs/work-queue.ts'
import { Problem } from '../../../platform/lib/problem.ts'
import {
  addUsageEvents,
  BEGINNING,
  exportAddress,
  isOfFormat,
  progressOf,
  startExport,
} from '../../../reports/index.ts'
import { attachmentLimit, readRecipientRules } from '../../deliveries/sending-rules.ts'
import { setMailState } from '../mails/mail-states.ts'
import { queueMailsOf } from '../mails/queue-run-mails.ts'
import { type StoredFile, storeRunFile } from '../mails/run-files.ts'
import { checkRecipient, isAttached, selectRunMails } from '../mails/run-mails.ts'
import { EMPTY, UNCHANGED } from '../mails/skip-reasons.ts'
import { listLastMails } from './last-mails.ts'
import { type ClaimedFile, fileQueue } from './run-queues.ts'
import { type Log, mayPass, pauseOf, type SubscriptionServices, sentenceOf } from './step.ts'

/** Milliseconds after which an export that does not end is requested again. */
const EXPORT_LIMIT_MS = 30 * 60_000

/** Seconds between two questions about an export, unless the provider names others. */
const POLL_SECONDS = 2

/** Does one step of a claimed file: requests it, asks for its progress, or stores it. */
export const advanceFile = async (
  services: SubscriptionServices,
  file: ClaimedFile,
  log: Log,
): Promise<void> => {
  const { db } = services
  if (isSpent(file.repeticoes)) {
    const frase = `A geração do arquivo falhou ou foi interrompida ${file.repeticoes - 1} vezes.`
    return failFile(services, file, frase)
  }
  try {
    const row = await readerOf(services, file)
    // No recipient may get it any more: `finish` skips them.
    if (!row) return await finish(services, file, undefined)
    if (file.externo === null) await requestFile(services, file, row)
    else await followExport(services, { ...file, externo: file.externo }, row)
  } catch (error) {
    if (error instanceof Problem && error.codigo === 'bi_sobrecarregado')
      return postponeAll(db, file, (error.retryAfter ?? 30) * 1000)
    const frase = sentenceOf(error, log)
    // The provider may go on with an export while it does not answer.
    if (file.externo !== null && isUnanswered(error) && !isOverdue(file)) {
      const afterMs = pauseAfter(1, PAUSES, error.retryAfter)
      return void (await settle(db, fileQueue, file, { set: { frase }, afterMs }))
    }
    const afterMs = pauseOf(error, file.repeticoes, isRepeated)
    if (afterMs === undefined) return failFile(services, file, frase)
    const set = { estado: 'PENDENTE', externo: null, frase }
    await settle(db, fileQueue, file, { set, afterMs, isCounted: true })
  }
}

/** `exportacao_inexistente`: the provider deletes an export after some hours, and is asked for a new one. */
const isRepeated = (error: unknown): boolean =>
  mayPass(error) || (error instanceof Problem && error.codigo === 'exportacao_inexistente')

const isOverdue = ({ pedidoEm, agora }: ClaimedFile): boolean =>
  pedidoEm !== null && agora.getTime() - pedidoEm.getTime() > EXPORT_LIMIT_MS

/** Returns a recipient of the file who may still get it, as whom it is drawn. */
const readerOf = async ({ db, secrets }: SubscriptionServices, { idArquivo, alcance }: ClaimedFile) => {
  const rules = await readRecipientRules(db)
  const rows = await selectRunMails(db)
    .where('assinaturaEntrega.idArquivo', '=', idArquivo)
    .where('assinaturaEntrega.estado', '=', 'PENDENTE')
    .execute()
  for (const row of rows) {
    const access = checkRecipient(row, rules, secrets)
    if (access.isAllowed && access.alcance === alcance) return { row, identity: access.identity }
  }
  return undefined
}

type Reader = NonNullable<Awaited<ReturnType<typeof readerOf>>>

const requestFile = async (
  services: SubscriptionServices,
  file: ClaimedFile,
  { row, identity }: Reader,
): Promise<void> => {
  const { capacityGate, secrets } = services
  const { formato, pagina, visuais, escolha, marcador, escolhidos } = row
  const job = await startExport(
    services,
    row,
    {
      formato,
      pagina,
      filtros: escolha,
      marcador,
      parametros: escolhidos,
      visuais: visuais.map(({ nome }) => nome),
    },
    // All subscriptions together are one reader, who alternates with the others.
    { identity, requestedFor: secrets.digest('exportacoes:assinaturas') },
  )
  // Without the id, the portal would request a second export while the provider works on the first.
  const set = { estado: 'GERANDO', externo: job.id, pedidoEm: databaseNow }
  await insistOnWrite(() => settle(services.db, fileQueue, file, { set, afterMs: POLL_SECONDS * 1000 }))
  await capacityGate.noteUse(row.idPowerBi)
}

const followExport = async (
  services: SubscriptionServices,
  file: ClaimedFile & { externo: string },
  { row }: Reader,
): Promise<void> => {
  const { powerBi } = services
  const { connection, ...address } = exportAddress(row, services)
  const { answer: job, retryAfter } = await powerBi.getExport(connection, address, file.externo)
  if (job.status === 'Failed') {
    const isPaginated = row.tipoRelatorio === 'PAGINADO'
    throw new Problem('bi_resposta_invalida', { detail: progressOf('', job, { isPaginated }).motivo ?? '' })
  }
  if (job.status !== 'Succeeded') {
    if (isOverdue(file))
      throw new Problem('bi_sem_resposta', {
        detail: 'O serviço de BI não terminou o arquivo em 30 minutos.',
      })
    const afterMs = (retryAfter ?? POLL_SECONDS) * 1000
    return void (await settle(services.db, fileQueue, file, { set: { frase: null }, afterMs }))
  }
  const { content } = job
  if (content && content.failedVisuals > 0)
    throw new Problem('bi_resposta_invalida', {
      detail: `O relatório não conseguiu ler os dados de ${content.failedVisuals === 1 ? 'um visual' : `${content.failedVisuals} visuais`}.`,
    })
  if (row.pulaVazio && content?.rows === 0) return finish(services, file, { motivo: EMPTY })
  const resumo = content?.digest ? services.secrets.digest(`assinatura-linhas:${content.digest}`) : null
  const isCompared = row.pulaInalterado && row.causa !== 'TESTE' && resumo !== null
  const unchanged = isCompared ? await listUnchanged(services.db, file, resumo) : undefined
  const made = { resumo, unchanged: unchanged?.people ?? [] }
  const rules = await readRecipientRules(services.db)
  if (unchanged?.areAll || !isAttached(row, rules)) return finish(services, file, made)
  const exported = await powerBi.exportedFile(connection, address, job.id)
  const bytes = await readUpTo(attachmentLimit(rules), exported)
  if (!bytes) return finish(services, file, made)
  if (!isOfFormat(bytes.subarray(0, BEGINNING), row.formato))
    throw new Problem('bi_resposta_invalida', { cause: 'no such file' })
  const stored = await storeRunFile(services, file.idArquivo, bytes)
  await finish(services, file, { ...made, stored, bytes: bytes.length })
}

/** @returns undefined when the file is larger; the rest of it is not read */
const readUpTo = async (
  limit: number,
  { chunks, size = 0 }: { chunks: AsyncGenerator<Uint8Array, void>; size: number | undefined },
): Promise<Buffer | undefined> => {
  const parts: Uint8Array[] = []
  let total = 0
  // Leaving the loop ends the download.
  for await (const chunk of chunks) {
    total += chunk.length
    if (Math.max(total, size) > limit) return undefined
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

/** Returns the recipients whose last e-mail had these rows, and whether there are others. */
const listUnchanged = async (
  db: Db,
  { idExecucao, idArquivo, alcance }: ClaimedFile,
  resumo: string,
): Promise<{ people: number[]; areAll: boolean }> => {
  const mails = await listLastMails(db, { idExecucao, idArquivo })
  const same = mails.filter((last) => last.alcance === alcance && last.resumo === resumo)
  return { people: same.map(({ idUsuario }) => idUsuario), areAll: same.length === mails.length }
}

interface Made {
  /** Why no recipient gets it, in Portuguese. */
  motivo?: string
  /** Recipients whose last e-mail had the same rows. */
  unchanged?: readonly number[]
  resumo?: string | null
  stored?: StoredFile
  bytes?: number
}

/** Makes the file ready and queues or skips its e-mails, in one transaction. */
const finish = (
  services: SubscriptionServices,
  file: ClaimedFile,
  { motivo, unchanged = [], resumo = null, stored, bytes }: Made = {},
): Promise<void> =>
  inTransaction(services.db, async (tx) => {
    if (!(await holdClaim(tx, fileQueue, file))) return
    const { idArquivo, idExecucao } = file
    if (stored) await keepPendingFile(tx, stored.arquivo)
    const storedFile = stored ? { ...stored, bytes: bytes ?? null } : {}
    await settle(tx, fileQueue, file, { set: { estado: 'PRONTO', frase: null, resumo, ...storedFile } })
    const skipped = { idExecucao, estado: 'PULADA', em: services.now() } as const
    if (unchanged.length > 0)
      await setMailState(tx, { ...skipped, of: { people: unchanged }, motivo: UNCHANGED })
    if (motivo === undefined) await queueMailsOf(tx, services, { idExecucao, idArquivo })
    else await setMailState(tx, { ...skipped, of: { idArquivo }, motivo })
    await countUse(tx, file, services.now())
  })

const failFile = (services: SubscriptionServices, file: ClaimedFile, frase: string): Promise<void> =>
  inTransaction(services.db, async (tx) => {
    const { idArquivo, idExecucao } = file
    if (!(await settle(tx, fileQueue, file, { set: { estado: 'FALHOU', frase } }))) return
    await setMailState(tx, {
      idExecucao,
      of: { idArquivo },
      estado: 'FALHOU',
      motivo: frase,
      em: services.now(),
    })
  })

/** A made file counts as an export of the person who made the subscription. */
const countUse = async (tx: Db, { idExecucao, externo }: ClaimedFile, now: Date): Promise<void> => {
  if (externo === null) return
  const { idDono, idRelatorio, formato } = await tx
    .selectFrom('assinaturaExecucao')
    .innerJoin('assinatura', 'assinatura.idAssinatura', 'assinaturaExecucao.idAssinatura')
    .select(['idDono', 'idRelatorio', 'formato'])
    .where('idExecucao', '=', idExecucao)
    .executeTakeFirstOrThrow()
  const events = [{ tipo: 'exportacao' as const, nome: formato }]
  await addUsageEvents(tx, { idUsuario: idDono, idRelatorio, events }, now)
}

/** The provider asked to wait: until then, no file of the connection is requested. */
const postponeAll = async (db: Db, file: ClaimedFile, ms: number): Promise<void> => {
  const tentarEm = fromNow(ms)
  await inTransaction(db, async (tx) => {
    await settle(tx, fileQueue, file, { afterMs: ms })
    await tx
      .updateTable('assinaturaArquivo')
      .set({ tentarEm })
      .where('estado', '=', 'PENDENTE')
      .where('tentarEm', '<', tentarEm)
      .where('ocupadoAte', 'is', null)
      .where('idExecucao', 'in', (same) =>
        same
          .selectFrom('assinaturaExecucao as esta')
          .innerJoin('assinatura as a', 'a.idAssinatura', 'esta.idAssinatura')
          .innerJoin('relatorio as r', 'r.idRelatorio', 'a.idRelatorio')
          .innerJoin('grupoRelatorio as g', 'g.idGrupoRelatorio', 'r.idGrupoRelatorio')
          .innerJoin('grupoRelatorio as h', 'h.idPowerBi', 'g.idPowerBi')
          .innerJoin('relatorio as q', 'q.idGrupoRelatorio', 'h.idGrupoRelatorio')
          .innerJoin('assinatura as b', 'b.idRelatorio', 'q.idRelatorio')
          .innerJoin('assinaturaExecucao as outra', 'outra.idAssinatura', 'b.idAssinatura')
          .select('outra.idExecucao')
          .where('esta.idExecucao', '=', file.idExecucao)
          .where('outra.terminadaEm', 'is', null),
      )
      .execute()
  })
}
