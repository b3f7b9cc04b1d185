import type { AlertForms } from '@bi-manager/contract'
import type { Updateable } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import type { Tables } from '../../platform/db/types.ts'
import { holdClaim, PAUSES, pauseAfter, settle } from '../../platform/jobs/work-queue.ts'
import { nextRun } from '../../platform/lib/recurrence.ts'
import { notify, takeBack } from '../../platform/notifications/notify.ts'
import { readRecipientRules } from '../deliveries/sending-rules.ts'
import { type AlertRow, checkAlertAccess, selectAlerts } from './alert-access.ts'
import { alertQueue, type ClaimedAlert } from './alert-queue.ts'
import type { AlertServices } from './alert-services.ts'
import { announceCrossing } from './announce-crossing.ts'
import { insertEvaluation } from './evaluations.repository.ts'
import { decideOutcome, type Reading } from './values/decide-outcome.ts'

/** The evaluation of an alert that this process claimed. */
interface Evaluation {
  claim: ClaimedAlert
  /** Milliseconds that the question to the provider took. */
  duracaoMs?: number
}

/** Ends the evaluation; `proximaEm` is the next one. */
const release = async (
  tx: Db,
  { claim }: Evaluation,
  set: Updateable<Tables['alerta']> & { proximaEm: Date | null },
): Promise<void> => {
  await settle(tx, alertQueue, claim, { set: { repeticoes: 0, ...set } })
}

/** The value of an alert, and how the columns of its row are written. */
export interface Found {
  reading: Reading
  formas: AlertForms | null
}

/**
 * Runs the work if no other process has claimed the alert since, on its current state: a process that
 * was slow for longer than its lease changes nothing.
 * @param work gets the database's time, from which the next evaluation is planned
 */
const whileClaimed = (
  { db }: AlertServices,
  { claim }: Evaluation,
  work: (tx: Db, fresh: AlertRow, now: Date) => Promise<void>,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const now = await holdClaim(tx, alertQueue, claim)
    if (!now) return
    const fresh = await selectAlerts(tx).where('alerta.idAlerta', '=', claim.idAlerta).executeTakeFirst()
    if (fresh) await work(tx, fresh, now)
  })

/**
 * Stores a value, and notifies the owner of a crossing if they may still see the value. One transaction
 * does both, so that the owner gets one notification per crossing.
 * @param alcance what determined the value
 */
export const finishAlert = (
  services: AlertServices,
  evaluation: Evaluation,
  alcance: string,
  { reading, formas }: Found,
): Promise<void> =>
  whileClaimed(services, evaluation, async (tx, fresh, now) => {
    const rules = await readRecipientRules(tx)
    const access = checkAlertAccess(fresh, rules, services.secrets)
    if (!access.isAllowed) return storeRefusal(tx, evaluation, fresh, access.motivo, now)
    // Report or identity changed during the question: another value may be the owner's.
    if (access.alcance !== alcance) return release(tx, evaluation, { proximaEm: now })
    const isSame = fresh.alcance === alcance
    const before = isSame ? fresh : { ...fresh, estado: 'AGUARDA' as const, valor: null, referencia: null }
    const { resultado, estado, anterior, referencia } = decideOutcome(before, reading)
    const valor = resultado === 'SEM_VALOR' ? before.valor : reading.valor
    const idAvaliacao = await insertEvaluation(tx, {
      idAlerta: fresh.idAlerta,
      em: now,
      resultado,
      valor: reading.valor,
      anterior,
      frase: null,
      duracaoMs: evaluation.duracaoMs ?? 0,
      alcance,
      versaoAlerta: fresh.versaoAlerta,
    })
    await release(tx, evaluation, {
      formas: formas && JSON.stringify(formas),
      estado,
      alcance,
      valor,
      valorEm: now,
      referencia,
      falha: null,
      proximaEm: nextRun(fresh, now),
    })
    if (fresh.falha !== null) await takeBack(tx, `alerta:${fresh.idAlerta}`)
    if (resultado === 'CRUZOU')
      await announceCrossing(
        tx,
        services,
        { ...fresh, formas },
        {
          idAvaliacao,
          valor: reading.valor,
          anterior,
          alcance,
          rules,
        },
      )
  })

/** Stores that the owner may not see the value, without a notification. */
export const refuseAlert = (services: AlertServices, evaluation: Evaluation, motivo: string): Promise<void> =>
  whileClaimed(services, evaluation, (tx, fresh, now) => storeRefusal(tx, evaluation, fresh, motivo, now))

const storeRefusal = async (
  tx: Db,
  evaluation: Evaluation,
  fresh: AlertRow,
  frase: string,
  now: Date,
): Promise<void> => {
  const { idAlerta, versaoAlerta } = fresh
  const last = await tx
    .selectFrom('alertaAvaliacao')
    .select(['resultado', 'frase'])
    .where('idAlerta', '=', idAlerta)
    .orderBy('idAvaliacao', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last?.resultado !== 'RECUSADA' || last.frase !== frase)
    await insertEvaluation(tx, {
      idAlerta,
      em: now,
      resultado: 'RECUSADA',
      valor: null,
      anterior: null,
      frase,
      duracaoMs: 0,
      alcance: null,
      versaoAlerta,
    })
  await release(tx, evaluation, { proximaEm: nextRun(fresh, now) })
}

interface Failure {
  /** Portuguese. */
  frase: string
  /** Whether it may be over within minutes. */
  mayPass: boolean
  /** Seconds that the provider asks to wait. */
  retryAfter?: number | undefined
}

/**
 * Stores a failure, which leaves the state as it is. One that may pass is repeated; the owner is
 * notified of one that stays, once until a value is read again.
 */
export const failAlert = (
  services: AlertServices,
  evaluation: Evaluation,
  { frase, mayPass, retryAfter }: Failure,
): Promise<void> =>
  whileClaimed(services, evaluation, async (tx, fresh, now) => {
    const { idAlerta, versaoAlerta, nomeAlerta, idUsuario } = fresh
    await insertEvaluation(tx, {
      idAlerta,
      em: now,
      resultado: 'FALHOU',
      valor: null,
      anterior: null,
      frase,
      duracaoMs: evaluation.duracaoMs ?? 0,
      alcance: null,
      versaoAlerta,
    })
    const afterMs = mayPass ? pauseAfter(evaluation.claim.repeticoes, PAUSES, retryAfter) : undefined
    if (afterMs !== undefined)
      return void (await settle(tx, alertQueue, evaluation.claim, {
        set: { falha: frase },
        afterMs,
        isCounted: true,
      }))
    await release(tx, evaluation, { falha: frase, proximaEm: nextRun(fresh, now) })
    if (!checkAlertAccess(fresh, await readRecipientRules(tx), services.secrets).isAllowed) return
    const titulo = `O alerta “${nomeAlerta}” não pôde ser avaliado`
    const bell = { titulo, texto: frase, rota: '/alertas', idAlerta }
    const told = { subject: `alerta:${idAlerta}`, occurrence: 'falha' }
    await notify(tx, { audience: [idUsuario], kind: 'alerta', ...told, bell }, now)
  })
