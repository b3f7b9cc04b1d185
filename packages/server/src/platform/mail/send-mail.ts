import type { FastifyBaseLogger } from 'fastify'
import { type Letterhead, readLetterhead } from '../brand/brand.ts'
import { inTransaction } from '../db/transactions/in-transaction.ts'
import { insistOnWrite } from '../db/transactions/insist-on-write.ts'
import { renewClaim, settle, startWork, type Work, workOff } from '../jobs/work-queue.ts'
import { createBoundedCache } from '../lib/bounded-cache.ts'
import { composeMail } from './compose-mail.ts'
import { beginLinkLife, isLinkValid } from './link-life.ts'
import { createDelivery } from './mail-delivery.ts'
import { failureOf, failureSentence, isFinal, type MailFailure, unknownKind } from './mail-failure.ts'
import type {
  AnyMailKind,
  DeliveredMail,
  MailContent,
  MailEnd,
  MailServices,
  PreparedMail,
  QueuedMail,
} from './mail-kind.ts'
import {
  lastFailureOf,
  recordDelivery,
  recordDropped,
  recordFailure,
  recordGivenUp,
  recordUnknownKind,
  retryOneAfterOutage,
} from './mail-outcomes.ts'
import { type ClaimedMail, claimMails, LEASE_MS, mailQueue } from './mail-queue.ts'
import { markDelivered } from './queue-mail.ts'

const second = 1_000
const hour = 3_600 * second

/** One indexed query: cheap enough to send a message within a second. */
const lookEvery = second
const MAX_CONCURRENT = 5
/** While the mail server is unavailable, one message a minute finds out whether it answers again. */
const probeEvery = 60 * second
/** Time limit of a delivery. */
const deliveryLasts = 90 * second
const longestPause = 6 * hour
/** Pause before another node may claim a message whose kind this one does not know. */
const unknownKindPause = 60 * second
const givenUpAfter = 72 * hour
/** Delivered messages that a process remembers while the database does not store that. */
const MAX_REMEMBERED = 1_000
/** Time that stopping waits for deliveries in progress before it aborts them. */
const grace = 5 * second

/**
 * Sends the messages queued in the database. Several processes may run one: each claims messages for
 * the time of a lease, and another one claims those of a dead process. A message may arrive twice when a
 * process dies between its delivery and the mark of that, but is never lost.
 * @param kinds all kinds of messages; one of another kind waits for a node of another version
 */
export const createMailSender = (
  services: MailServices & { now: () => Date },
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>,
  kinds: readonly AnyMailKind[],
) => {
  const { config, db, secrets, now } = services
  const kindByName = new Map(kinds.map((kind) => [kind.modelo, kind]))
  const unknownKinds = new Set<string>()
  const deliver = createDelivery(config)
  /** No message is claimed any more; after `grace`, deliveries in progress stop as well. */
  const closing = new AbortController()
  const stopping = new AbortController()
  const delivered = createBoundedCache<DeliveredMail>(MAX_REMEMBERED)
  let probedAt = Date.now()
  let started: ReturnType<typeof startWork> | undefined

  const work: Work<{ row: ClaimedMail; letterhead: Promise<Letterhead> }> = {
    name: 'sending of queued e-mails',
    everyMs: lookEvery,
    places: MAX_CONCURRENT,
    before: async () => {
      if (Date.now() - probedAt < probeEvery) return
      probedAt = Date.now()
      await retryOneAfterOutage(db)
    },
    claim: async (limit) => {
      const rows = await claimMails(db, limit)
      if (rows.length === 0) return []
      const letterhead = readLetterhead(db)
      // Each attempt that needs it handles the failure, and tries again later.
      letterhead.catch(() => undefined)
      return rows.map((row) => ({ row, letterhead }))
    },
    attempt: ({ row, letterhead }) => attempt(row, letterhead),
  }

  const attempt = async (row: ClaimedMail, letterhead: Promise<Letterhead>): Promise<void> => {
    let queued: QueuedMail | undefined
    let claim = row
    // What fails before or afterwards is not a failure of the mail server.
    let isDelivering = false
    try {
      queued = JSON.parse(secrets.decrypt(row.conteudo)) as QueuedMail
      const { modelo } = queued.mail
      const kind = kindByName.get(modelo)
      const worthSendingForMs = kind?.worthSendingForMs ?? givenUpAfter
      const isTooOld = row.criadaEm.getTime() + worthSendingForMs < row.agora.getTime()
      if (!kind && !isTooOld) return await leaveToOtherNodes(row, modelo)
      const earlier = queued.entregue ?? delivered.get(String(row.idMensagem))
      if (earlier) return await endDelivered(row, queued, earlier)
      if (!kind) {
        await giveUp(row, queued, failureSentence(unknownKind))
        await keepOutcome(recordUnknownKind(db, { ...row, modelo, now: now() }))
        return
      }
      if (isTooOld) {
        await giveUp({ ...row, erro: await lastFailureOf(db, row) }, queued)
        await keepOutcome(recordGivenUp(db, { ...row, para: queued.para, now: now() }))
        return
      }
      const id = secrets.digest(`mensagem:${row.idMensagem}:${row.conteudo}`).slice(0, 32)
      const sendable = await sendableOf(kind, queued)
      if ('motivo' in sendable) return await drop(row, queued, sendable.motivo)
      const { vidaDoLink } = queued
      if (vidaDoLink && !(await isLinkValid(db, vidaDoLink, now())))
        return await drop(row, queued, 'O link deste e-mail não vale mais.')
      const message = composeMail(
        { ...sendable, kind },
        { config, letterhead: await letterhead },
        { id, date: row.criadaEm },
      )
      const renewed = await renewClaim(db, mailQueue, row, LEASE_MS)
      if (!renewed) return
      claim = renewed
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(deliveryLasts)])
      isDelivering = true
      await deliver(message, fileNameOf(row, modelo), signal)
      isDelivering = false
      const { para, remark = null } = sendable
      await endDelivered(row, queued, await keepDelivered(row, queued, { para, observacao: remark }))
    } catch (error) {
      if (!isDelivering)
        log.error({ err: error, idMensagem: row.idMensagem }, 'the portal failed to handle an e-mail')
      // Already delivered. When the lease ends, a process stores the outcome and sends nothing.
      if (queued?.entregue ?? delivered.get(String(row.idMensagem))) return
      await putOff(claim, queued, { error, isDelivering }).catch((err: unknown) => {
        // When the lease ends, the message is retried.
        log.error({ err, idMensagem: row.idMensagem }, 'an e-mail that was not sent could not be rescheduled')
      })
    }
  }

  /** Keeps that a message was delivered, before anything else: it must never be sent again. */
  const keepDelivered = async (
    { idMensagem }: ClaimedMail,
    queued: QueuedMail,
    { para, observacao }: Omit<DeliveredMail, 'em'>,
  ): Promise<DeliveredMail> => {
    const entregue: DeliveredMail = { para, em: now().toISOString(), observacao }
    delivered.set(String(idMensagem), entregue)
    const mark = () => markDelivered(db, { secrets }, idMensagem, { ...queued, entregue })
    await insistOnWrite(mark, { stopped: stopping.signal })
    return entregue
  }

  /** Stores the outcome of a delivered message. */
  const endDelivered = async (
    row: ClaimedMail,
    queued: QueuedMail,
    { para, em, observacao }: DeliveredMail,
  ): Promise<void> => {
    const at = new Date(em)
    if (queued.vidaDoLink) await beginLinkLife(db, queued.vidaDoLink, at)
    await end(row, queued, { estado: 'ENVIADA', motivo: observacao, em: at })
    delivered.delete(String(row.idMensagem))
    await keepOutcome(recordDelivery(db, { ...row, para }))
  }

  /** Returns the message as it may be sent now, or why it may not. */
  const sendableOf = async (kind: AnyMailKind, queued: QueuedMail): Promise<PreparedMail<MailContent>> => {
    if (kind.prepare) return kind.prepare(services, queued)
    // The queue holds the content itself.
    return { para: queued.para, mail: queued.mail as MailContent & QueuedMail['mail'] }
  }

  /** Reschedules a message of an unknown kind. This claim was not an attempt to send it. */
  const leaveToOtherNodes = async (row: ClaimedMail, modelo: string): Promise<void> => {
    await settle(db, mailQueue, row, { afterMs: unknownKindPause })
    if (unknownKinds.has(modelo)) return
    unknownKinds.add(modelo)
    const { idMensagem } = row
    log.warn({ idMensagem, modelo }, 'this version does not know the kind of an e-mail, which waits')
  }

  /** Deletes a message, and stores how it ended where its kind keeps that. */
  const end = async (
    { idMensagem }: ClaimedMail,
    queued: QueuedMail | undefined,
    ending: MailEnd,
  ): Promise<void> => {
    await inTransaction(db, async (tx) => {
      await tx.deleteFrom('mensagem').where('idMensagem', '=', idMensagem).execute()
      if (queued) await kindByName.get(queued.mail.modelo)?.ended?.(tx, queued.mail, ending)
    })
  }

  const drop = async (row: ClaimedMail, queued: QueuedMail, motivo: string): Promise<void> => {
    await end(row, queued, { estado: 'PULADA', motivo, em: now() })
    await keepOutcome(recordDropped(db, row, now()))
    log.warn({ idMensagem: row.idMensagem, modelo: queued.mail.modelo }, 'an e-mail may no longer be sent')
  }

  const putOff = async (
    row: ClaimedMail,
    queued: QueuedMail | undefined,
    { error, isDelivering }: { error: unknown; isDelivering: boolean },
  ): Promise<void> => {
    const failure = failureOf(error)
    const { codigo: erro } = failure
    const modelo = queued?.mail.modelo
    const isRefused = isDelivering && isFinal(failure)
    const isGivenUp = isRefused || row.criadaEm.getTime() + givenUpAfter < row.agora.getTime()
    if (queued && isDelivering && !stopping.signal.aborted) await keepFailure(row, queued, failure, isGivenUp)
    const motivo = isDelivering ? failureSentence(failure) : PORTAL_FAILED
    if (isGivenUp) return giveUp({ ...row, erro }, queued, motivo)
    const { idMensagem, tentativas } = row
    const afterMs = pauseOf(tentativas)
    await settle(db, mailQueue, row, { set: { erro }, afterMs, isCounted: true })
    const seconds = Math.round(afterMs / second)
    log.warn({ idMensagem, modelo, tentativas, erro, seconds }, 'an e-mail was not sent and will be retried')
  }

  const keepFailure = (
    row: ClaimedMail,
    { para, mail }: QueuedMail,
    failure: MailFailure,
    isGivenUp: boolean,
  ) => {
    const message = { idMensagem: row.idMensagem, modelo: mail.modelo, isGivenUp }
    return keepOutcome(recordFailure(db, { para, failure, now: now(), message }))
  }

  /** The record for the status page never decides whether a message is sent. */
  const keepOutcome = (recording: Promise<void>) =>
    recording.catch((err: unknown) => log.error({ err }, 'the outcome of an e-mail could not be recorded'))

  const giveUp = async (
    row: ClaimedMail,
    queued: QueuedMail | undefined,
    motivo = TOO_LATE,
  ): Promise<void> => {
    const { idMensagem, tentativas, erro } = row
    await end(row, queued, { estado: 'FALHOU', motivo, em: now() })
    log.error({ idMensagem, modelo: queued?.mail.modelo, tentativas, erro }, 'an e-mail was given up')
  }

  return {
    /** Sends the messages that are due. Resolves when each was delivered or rescheduled. */
    sendDue: () => workOff(work, log, closing.signal),
    /** Looks for messages every second until it is closed. */
    start: (): void => {
      started ??= startWork(work, log)
    },
    close: async (): Promise<void> => {
      closing.abort()
      const breakOff = setTimeout(() => stopping.abort(), grace)
      await started?.stop()
      clearTimeout(breakOff)
      stopping.abort()
    },
  }
}

const PORTAL_FAILED = 'O portal não conseguiu preparar o e-mail: veja o log do portal.'
const TOO_LATE = 'O servidor de e-mail não aceitou a mensagem a tempo.'

/** From 10 seconds, doubled each time; the jitter spreads messages over time. */
const pauseOf = (attempts: number): number =>
  Math.min(longestPause, 10 * second * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2)

/** @example 20260131T235900123Z-convite-42.eml */
export const fileNameOf = (
  { criadaEm, idMensagem }: Pick<ClaimedMail, 'criadaEm' | 'idMensagem'>,
  modelo: string,
): string => `${criadaEm.toISOString().replace(/[-:.]/g, '')}-${modelo}-${idMensagem}.eml`
