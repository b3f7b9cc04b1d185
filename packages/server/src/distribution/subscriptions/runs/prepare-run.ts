import { ownValue, panelOptionOf } from '@bi-manager/contract'
import { sql } from 'kysely'
import { panelOf } from '../../../connections/index.ts'
import { databaseNow } from '../../../platform/db/database-clock.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { inTransaction } from '../../../platform/db/transactions/in-transaction.ts'
import { holdClaim, isSpent, settle } from '../../../platform/jobs/work-queue.ts'
import { exportAddress } from '../../../reports/index.ts'
import { readRecipientRules } from '../../deliveries/sending-rules.ts'
import { setMailState } from '../mails/mail-states.ts'
import { queueMailsOf } from '../mails/queue-run-mails.ts'
import {
  checkRecipient,
  isAttached,
  type RunMailRow,
  type RunRow,
  runSkipReason,
  selectRunMails,
  selectRuns,
} from '../mails/run-mails.ts'
import { UNCHANGED } from '../mails/skip-reasons.ts'
import { checkData } from './data-state.ts'
import { listLastMails } from './last-mails.ts'
import { type ClaimedRun, runQueue } from './run-queues.ts'
import { type Log, pauseOf, type SubscriptionServices, sentenceOf } from './step.ts'

/** Milliseconds between two reads of the refreshes while one is due or in progress. */
const REFRESH_MS = 5 * 60_000

/**
 * Prepares a claimed run: checks the state of its data, skips the recipients who may not get them, and
 * plans one file per distinct identity. E-mails that need no file are queued.
 */
export const prepareRun = async (
  services: SubscriptionServices,
  run: ClaimedRun,
  log: Log,
): Promise<void> => {
  const { db, now } = services
  if (isSpent(run.repeticoes)) {
    const frase = `O preparo do envio falhou ou foi interrompido ${run.repeticoes - 1} vezes.`
    return refuseRun(db, run, 'FALHOU', frase, now())
  }
  try {
    const row = await selectRuns(db).where('idExecucao', '=', run.idExecucao).executeTakeFirst()
    if (!row) return
    const skipReason = runSkipReason(row)
    if (skipReason !== null) return await refuseRun(db, run, 'NAO_ENVIADA', skipReason, now())
    const data = await checkData(services, row)
    if (data.skipReason !== undefined) {
      // Waiting for a refresh is not a failure.
      if (data.mayPass && row.causa !== 'TESTE')
        return void (await settle(db, runQueue, run, { afterMs: REFRESH_MS }))
      return await refuseRun(db, run, 'NAO_ENVIADA', `${data.skipReason} Nada foi enviado.`, now(), data.time)
    }
    const content = { dadosDe: data.time ?? null, filtros: await describeContent(services, row) }
    await oneAtATime(() => inTransaction(db, (tx) => plan(tx, services, run, content)))
  } catch (error) {
    const frase = sentenceOf(error, log)
    const afterMs = pauseOf(error, run.repeticoes)
    if (afterMs === undefined) return refuseRun(db, run, 'FALHOU', frase, now())
    await settle(db, runQueue, run, { set: { frase }, afterMs, isCounted: true })
  }
}

let lastPlan: Promise<unknown> = Promise.resolve()

/** Runs that are prepared together wait here: their plans would take every connection of the pool. */
const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => {
  const result = lastPlan.then(work)
  lastPlan = result.catch(() => {})
  return result
}

/** Returns filters and selections, or the parameters, in words; null without any. */
const describeContent = async (services: SubscriptionServices, row: RunRow): Promise<string | null> => {
  if (row.tipoRelatorio === 'PAGINADO')
    return row.escolhidos.map((text) => text.replace('=', ': ')).join('; ') || null
  const { datasetsAdicionais } = row
  const place = { ...exportAddress(row, services), datasetsAdicionais }
  const panel = panelOf(row, await services.embedIssuer.panelFor(place))
  const words = panel.flatMap((field) => {
    const option = panelOptionOf(field, ownValue(row.escolha, field.nome))
    return option ? [`${field.rotulo}: ${option.rotulo}`] : []
  })
  return [...words, ...(row.marcador ? ['seleções gravadas'] : [])].join('; ') || null
}

interface Planned {
  filtros: string | null
  dadosDe: Date | null
}

const plan = async (
  tx: Db,
  services: SubscriptionServices,
  run: ClaimedRun,
  content: Planned,
): Promise<void> => {
  const now = services.now()
  if (!(await holdClaim(tx, runQueue, run))) return
  const { idExecucao } = run
  const rules = await readRecipientRules(tx)
  const rows = await selectRunMails(tx)
    .where('assinaturaExecucao.idExecucao', '=', idExecucao)
    .where('assinaturaEntrega.estado', '=', 'PENDENTE')
    .execute()
  const [first] = rows
  const needsFile = first && (isAttached(first, rules) || first.pulaVazio)
  const allowed: Allowed[] = []
  const skipped = new Map<string, number[]>()
  const isUnchanged = await unchangedSince(tx, first, run, content.dadosDe)
  for (const row of rows) {
    const { idUsuario } = row
    const access = checkRecipient(row, rules, services.secrets)
    if (!access.isAllowed) addTo(skipped, access.motivo, idUsuario)
    else if (isUnchanged(idUsuario, access.alcance)) addTo(skipped, UNCHANGED, idUsuario)
    else allowed.push({ idUsuario, alcance: access.alcance })
  }
  for (const [motivo, people] of skipped)
    await setMailState(tx, { idExecucao, of: { people }, estado: 'PULADA', motivo, em: now })
  await insertFiles(tx, run, allowed, needsFile ? 'PENDENTE' : 'PRONTO')
  await settle(tx, runQueue, run, { set: { preparadaEm: now, frase: null, ...content } })
  if (!needsFile) await queueMailsOf(tx, services, { idExecucao })
}

interface Allowed {
  idUsuario: number
  alcance: string
}

/** Inserts a file for each distinct scope, and has the e-mails wait for theirs. */
const insertFiles = async (
  tx: Db,
  { idExecucao }: ClaimedRun,
  allowed: readonly Allowed[],
  estado: 'PENDENTE' | 'PRONTO',
): Promise<void> => {
  const people = allowed.map(({ idUsuario }) => idUsuario)
  const scopes = allowed.map(({ alcance }) => alcance)
  await sql`
    with planejadas as (
      select * from unnest(${people}::int[], ${scopes}::text[]) as planejada (id_usuario, alcance)
    ), arquivos as (
      insert into assinatura_arquivo (id_execucao, alcance, tentar_em, estado)
      select distinct ${idExecucao}::int, alcance, ${databaseNow}, ${estado} from planejadas
      returning id_arquivo, alcance
    )
    update assinatura_entrega set id_arquivo = arquivos.id_arquivo
    from planejadas join arquivos using (alcance)
    where id_execucao = ${idExecucao} and assinatura_entrega.id_usuario = planejadas.id_usuario`.execute(tx)
}

const addTo = (groups: Map<string, number[]>, key: string, idUsuario: number): void => {
  const group = groups.get(key)
  if (group) group.push(idUsuario)
  else groups.set(key, [idUsuario])
}

/** Returns whether the last e-mail of a recipient had the rows of this scope at this time. */
const unchangedSince = async (
  tx: Db,
  row: RunMailRow | undefined,
  { idExecucao }: ClaimedRun,
  time: Date | null,
): Promise<(idUsuario: number, alcance: string) => boolean> => {
  if (!row?.pulaInalterado || row.causa === 'TESTE' || !time) return () => false
  const mails = await listLastMails(tx, { idExecucao })
  const last = new Map(mails.map((mail) => [mail.idUsuario, mail]))
  return (idUsuario, alcance) => {
    const mail = last.get(idUsuario)
    return mail?.alcance === alcance && mail.dadosDe?.getTime() === time.getTime()
  }
}

/** Skips all of a run's e-mails; `closeRuns` ends it. */
const refuseRun = (
  db: Db,
  run: ClaimedRun,
  estado: 'NAO_ENVIADA' | 'FALHOU',
  frase: string,
  now: Date,
  dadosDe?: Date,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (!(await holdClaim(tx, runQueue, run))) return
    const { idExecucao } = run
    await tx
      .updateTable('assinaturaEntrega')
      .set({ estado: estado === 'FALHOU' ? 'FALHOU' : 'PULADA', motivo: frase, em: now })
      .where('idExecucao', '=', idExecucao)
      .where('estado', '=', 'PENDENTE')
      .execute()
    const set = { estado, frase, preparadaEm: now, ...(dadosDe ? { dadosDe } : {}) }
    await settle(tx, runQueue, run, { set })
  })
