import type { AlertDeliveryState } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { insistOnWrite } from '../../platform/db/transactions/insist-on-write.ts'
import {
  type Claimed,
  claimDue,
  isSpent,
  pauseAfter,
  renewClaim,
  settle,
  type WorkTable,
} from '../../platform/jobs/work-queue.ts'
import { createBoundedCache } from '../../platform/lib/bounded-cache.ts'
import { connectionFault, faultSentence } from '../../platform/lib/connection-fault.ts'
import { callPublic, PrivateAddress } from '../../platform/lib/public-call.ts'
import { mayLeave, readRecipientRules } from '../deliveries/sending-rules.ts'
import type { AlertServices, Log } from './alert-services.ts'
import { crossingLink, crossingSkipReason, selectCrossings } from './crossings.ts'
import { decryptWebhook, NOT_PUBLIC, signatureOf, type Webhook } from './webhook.ts'

/** Milliseconds of one call. */
const CALL_MS = 10_000
/** The lease of a claimed call: after it, another process repeats the call; longer than a call. */
const LEASE_MS = 60_000
/** The wait after each failed call, then it is given up. */
const AGAIN_MS = [30_000, 2 * 60_000, 10 * 60_000, 3_600_000, 6 * 3_600_000]

/** Accepted calls that a process remembers while the database does not store that. */
const MAX_REMEMBERED = 1_000
/** By the secrets, of which an installation has one object in a process. */
const accepted = new WeakMap<object, ReturnType<typeof createBoundedCache<true>>>()

const webhookQueue: WorkTable<'alertaEnvio'> = {
  table: 'alertaEnvio',
  id: 'idAvaliacao',
  due: 'tentarEm',
  lease: 'tentarEm',
  attempts: 'tentativas',
  isOpen: sql<boolean>`(canal = 'WEBHOOK' and estado = 'NA_FILA')`,
}

export type ClaimedCall = Claimed<'alertaEnvio'>

/** Claims calls that are due. */
export const claimWebhooks = (db: Db, limit: number): Promise<ClaimedCall[]> =>
  claimDue(db, webhookQueue, { leaseMs: LEASE_MS, limit })

/** Calls the webhook of a crossing. */
export const callWebhook = async (services: AlertServices, call: ClaimedCall, log: Log): Promise<void> => {
  const { db, config, secrets } = services
  const { idAvaliacao, tentativas } = call
  let claim = call
  const remembered = accepted.get(secrets) ?? createBoundedCache<true>(MAX_REMEMBERED)
  accepted.set(secrets, remembered)
  const end = (estado: AlertDeliveryState, motivo: string | null, waitMs?: number) =>
    endSending(services, claim, { estado, motivo, waitMs })
  /** The receiver must not be called again because of a write that fails. */
  const endAccepted = async () => {
    remembered.set(String(idAvaliacao), true)
    await insistOnWrite(() => end('ENVIADO', null))
    remembered.delete(String(idAvaliacao))
  }
  if (remembered.get(String(idAvaliacao))) return endAccepted()
  if (isSpent(tentativas, AGAIN_MS))
    return end('FALHOU', `A chamada falhou ou foi interrompida ${tentativas - 1} vezes.`)
  const rules = await readRecipientRules(db)
  const row = await selectCrossings(db)
    .where('alertaAvaliacao.idAvaliacao', '=', idAvaliacao)
    .executeTakeFirst()
  if (!row) return
  const skipReason = crossingSkipReason(row, rules, secrets) ?? (row.tipo === 'ADMIN' ? null : NO_ADMIN)
  if (skipReason !== null) return end('NAO_ENVIADO', skipReason)
  const webhook = decryptWebhook(secrets, row.webhook)
  if (!webhook) return end('NAO_ENVIADO', 'O alerta não tem mais um webhook.')
  const { idAlerta, nomeAlerta, nomeRelatorio, condicao, limite, percentual, avaliadaEm } = row
  const body = JSON.stringify({
    type: 'alerta.atingido',
    timestamp: avaliadaEm.toISOString(),
    data: {
      idAlerta,
      nomeAlerta,
      relatorio: nomeRelatorio,
      condicao,
      limite,
      percentual,
      // By the rule for e-mails: not those of sensitive data, nor of rows that differ for each person.
      ...(mayLeave(row, rules) ? { valor: row.valorAvaliado, anterior: row.anterior } : {}),
      link: crossingLink(config, row, rules),
    },
  })
  const renewed = await renewClaim(db, webhookQueue, call, LEASE_MS)
  if (!renewed) return
  claim = renewed
  const failure = await post(services, webhook, { id: `alerta-${idAvaliacao}`, body })
  if (failure === undefined) return endAccepted()
  const waitMs = failure.isFinal ? undefined : pauseAfter(tentativas, AGAIN_MS)
  log.warn({ idAlerta, tentativas, motivo: failure.motivo }, 'the webhook of an alert was not called')
  return waitMs === undefined ? end('FALHOU', failure.motivo) : end('NA_FILA', failure.motivo, waitMs)
}

const NO_ADMIN = 'Quem criou o alerta não é mais administrador: só administradores usam webhooks.'

const endSending = async (
  { db, now }: AlertServices,
  call: ClaimedCall,
  {
    estado,
    motivo,
    waitMs,
  }: { estado: AlertDeliveryState; motivo: string | null; waitMs?: number | undefined },
): Promise<void> => {
  const set = { estado, motivo, em: now() }
  const again = waitMs === undefined ? {} : { afterMs: waitMs }
  // The row keeps how often the receiver was called.
  await settle(db, webhookQueue, call, { set, ...again, isCounted: true })
}

interface Failure {
  /** Portuguese, without the address, which may contain a key. */
  motivo: string
  isFinal: boolean
}

/** Calls the webhook. @returns undefined when the receiver accepted the call */
const post = async (
  { config, now }: AlertServices,
  webhook: Webhook,
  { id, body }: { id: string; body: string },
): Promise<Failure | undefined> => {
  const signal = AbortSignal.timeout(CALL_MS)
  try {
    const limits = { routes: config.outbound, privateHosts: config.webhooks.privateHosts }
    const signature = signatureOf(webhook, { id, at: now(), body })
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    const sent = { method: 'POST', headers: { ...headers, ...signature }, body } as const
    const response = await callPublic(new URL(webhook.endereco), limits, sent, signal)
    const { statusCode = 0 } = response
    // The body of the answer is not needed.
    response.destroy()
    if (statusCode >= 200 && statusCode < 300) return undefined
    // The receiver says that it wants no more calls.
    return { motivo: `O webhook respondeu ${statusCode}.`, isFinal: statusCode === 410 }
  } catch (error) {
    if (error instanceof PrivateAddress) return { motivo: NOT_PUBLIC, isFinal: true }
    if (signal.aborted) return { motivo: 'O webhook não respondeu em 10 segundos.', isFinal: false }
    const fault = connectionFault(error)
    const code = (error as NodeJS.ErrnoException).code ?? 'sem código'
    const sentence = fault
      ? `${faultSentence(fault, 'do webhook')}.`
      : `O webhook não pôde ser chamado (${code}).`
    return { motivo: sentence, isFinal: false }
  }
}
