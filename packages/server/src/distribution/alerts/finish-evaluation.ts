import type { AlertForms } from '@bi-manager/contract'
import { databaseNow } from '../../platform/db/database-clock.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { nextRun } from '../../platform/lib/recurrence.ts'
import { notify, takeBack } from '../../platform/notifications/notify.ts'
import { readRecipientRules } from '../deliveries/sending-rules.ts'
import { type AlertRow, checkAlertAccess, selectAlerts } from './alert-access.ts'
import type { AlertServices } from './alert-services.ts'
import { announceCrossing } from './announce-crossing.ts'
import { insertEvaluation } from './evaluations.repository.ts'
import { decideOutcome, type Reading } from './values/decide-outcome.ts'

/** How often an evaluation is repeated after a failure that may pass, and the wait before each. */
const REPEATS = 5
const AGAIN_MS = [30_000, 60_000, 2 * 60_000, 5 * 60_000, 10 * 60_000]

/** An alert that this process claimed; the lease ends at `ocupadoAte`, which also identifies the claim. */
interface Claim {
  row: AlertRow
  ocupadoAte: Date | null
  /** Milliseconds that the question to the provider took. */
  duracaoMs?: number
}

/** The value of an alert, and how the columns of its row are written. */
export interface Found {
  reading: Reading
  formas: AlertForms | null
}

type Change = Partial<{
  /** JSON */
  formas: string | null
  estado: AlertRow['estado']
  alcance: string
  valor: number | null
  valorEm: Date
  referencia: number | null
  falha: string | null
  repeticoes: number
}>

/**
 * Runs the work if no other process has claimed the alert since, on its current state: a process that
 * was slow for longer than its lease changes nothing.
 * @param work gets the database's time, from which the next evaluation is planned
 */
const whileClaimed = (
  { db }: AlertServices,
  { row: { idAlerta }, ocupadoAte }: Claim,
  work: (tx: Db, fresh: AlertRow, now: Date) => Promise<void>,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const held = await tx
      .selectFrom('alerta')
      .select(databaseNow.as('agora'))
      .where('idAlerta', '=', idAlerta)
      .where('ocupadoAte', '=', ocupadoAte)
      .forUpdate()
      .executeTakeFirst()
    if (!held) return
    const fresh = await selectAlerts(tx).where('alerta.idAlerta', '=', idAlerta).executeTakeFirst()
    if (fresh) await work(tx, fresh, held.agora)
  })

/** Ends the evaluation, and plans the next one. */
const release = async (
  tx: Db,
  fresh: AlertRow,
  { proximaEm, ...change }: Change & { proximaEm: Date | null },
): Promise<void> => {
  await tx
    .updateTable('alerta')
    .set({ ...change, proximaEm, ocupadoAte: null })
    .where('idAlerta', '=', fresh.idAlerta)
    .execute()
}

/**
 * Stores a value, and notifies the owner of a crossing if they may still see the value. One transaction
 * does both, so that the owner gets one notification per crossing.
 * @param alcance what determined the value
 */
export const finishAlert = (
  services: AlertServices,
  claim: Claim,
  alcance: string,
  { reading, formas }: Found,
): Promise<void> =>
  whileClaimed(services, claim, async (tx, fresh, now) => {
    const rules = await readRecipientRules(tx)
    const access = checkAlertAccess(fresh, rules, services.secrets)
    if (!access.isAllowed) return storeRefusal(tx, fresh, access.motivo, now)
    // Report or identity changed during the question: another value may be the owner's.
    if (access.alcance !== alcance) return release(tx, fresh, { proximaEm: now })
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
      duracaoMs: claim.duracaoMs ?? 0,
      alcance,
      versaoAlerta: fresh.versaoAlerta,
    })
    await release(tx, fresh, {
      formas: formas && JSON.stringify(formas),
      estado,
      alcance,
      valor,
      valorEm: now,
      referencia,
      falha: null,
      repeticoes: 0,
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
export const refuseAlert = (services: AlertServices, claim: Claim, motivo: string): Promise<void> =>
  whileClaimed(services, claim, (tx, fresh, now) => storeRefusal(tx, fresh, motivo, now))

const storeRefusal = async (tx: Db, fresh: AlertRow, frase: string, now: Date): Promise<void> => {
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
  await release(tx, fresh, { proximaEm: nextRun(fresh, now) })
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
  claim: Claim,
  { frase, mayPass, retryAfter }: Failure,
): Promise<void> =>
  whileClaimed(services, claim, async (tx, fresh, now) => {
    const { idAlerta, versaoAlerta, repeticoes, nomeAlerta, idUsuario } = fresh
    await insertEvaluation(tx, {
      idAlerta,
      em: now,
      resultado: 'FALHOU',
      valor: null,
      anterior: null,
      frase,
      duracaoMs: claim.duracaoMs ?? 0,
      alcance: null,
      versaoAlerta,
    })
    if (mayPass && repeticoes < REPEATS) {
      const wait = retryAfter ? retryAfter * 1000 : (AGAIN_MS[repeticoes] ?? 0)
      const proximaEm = new Date(now.getTime() + wait)
      return release(tx, fresh, { falha: frase, repeticoes: repeticoes + 1, proximaEm })
    }
    await release(tx, fresh, { falha: frase, repeticoes: 0, proximaEm: nextRun(fresh, now) })
    if (!checkAlertAccess(fresh, await readRecipientRules(tx), services.secrets).isAllowed) return
    const titulo = `O alerta “${nomeAlerta}” não pôde ser avaliado`
    const bell = { titulo, texto: frase, rota: '/alertas', idAlerta }
    const told = { subject: `alerta:${idAlerta}`, occurrence: 'falha' }
    await notify(tx, { audience: [idUsuario], kind: 'alerta', ...told, bell }, now)
  })
