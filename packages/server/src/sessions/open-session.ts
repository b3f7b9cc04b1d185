import { randomUUID } from 'node:crypto'
import type { SignedIn, UserType } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import PQueue from 'p-queue'
import type { ShownFactor } from '../auth/second-factor.ts'
import { inBatches } from '../db/in-batches.ts'
import { inTransaction } from '../db/in-transaction.ts'
import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'
import { Problem } from '../lib/problem.ts'
import { pendingOf } from './callers.repository.ts'
import { endSessionsOverLimit, type SessionEntry } from './make-room-for-session.ts'
import { insertSessionsStatement, type OpenedSession } from './sessions.repository.ts'

interface Opening {
  account: { idUsuario: number; nomeUsuario: string; tipoUsuario: UserType; idResponsavel: number }
  metodo: 'senha' | 'provedor'
  /** The hash that the password was just checked against; undefined when no password was used. */
  senhaHash: string | undefined
  /** Digest of the device's random mark; undefined when the device sent none. */
  marca: string | undefined
  request: FastifyRequest
  /** Ids of the booked attempt, deleted when the session opens. */
  booking: number[]
  /**
   * Requires the second factor of a user who has one, inside the transaction that opens the
   * session.
   * @throws Problem when it was not shown
   */
  secondFactor?: { isShown: boolean; require: (tx: Db) => Promise<ShownFactor | null> }
  /**
   * Locks the user's row and checks that the provider's identity is still linked.
   * @throws Problem when it is not
   */
  assertLinked?: (tx: Db) => Promise<void>
}

/**
 * Returns a function that opens a session for an authenticated user. Concurrent sign-ins share one
 * statement.
 * @throws Problem 401 when the password changed or the account was blocked during the sign-in
 */
export const createSessionOpener = (
  app: FastifyInstance,
  { db, config, now, recordAudit }: Pick<Services, 'db' | 'config' | 'now' | 'recordAudit'>,
) => {
  const openAll = async (tx: Db, entries: SessionEntry[]): Promise<(OpenedSession | undefined)[]> => {
    const events = entries.map(({ event }) => event)
    const rows = await recordAudit(tx, events, insertSessionsStatement(entries.map(({ session }) => session)))
    const opened = new Map(rows.map((row) => [row.idSessao, row]))
    return entries.map(({ session }) => opened.get(session.idSessao))
  }
  const openTogether = inBatches((entries: SessionEntry[]) => openAll(db, entries))
  // Two sign-ins of one user must not share a batch: `insertSessionsStatement` takes each user once.
  const queues = new Map<number, PQueue>()
  const open = (entry: SessionEntry) => {
    const { idUsuario } = entry.session
    const queue = queues.get(idUsuario) ?? new PQueue({ concurrency: 1 })
    if (!queues.has(idUsuario)) queue.addEventListener('idle', () => queues.delete(idUsuario))
    queues.set(idUsuario, queue)
    return queue.add(() => openTogether(entry))
  }

  return async ({
    account,
    metodo,
    senhaHash,
    marca,
    request,
    booking,
    secondFactor,
    assertLinked,
  }: Opening): Promise<SignedIn> => {
    const { idUsuario } = account
    const created = now()
    const expiraEm = new Date(created.getTime() + config.session.seconds * 1000)
    const idSessao = randomUUID()
    const entry = (segundoFator: ShownFactor | null, isFactorSettled: boolean): SessionEntry => ({
      session: {
        idSessao,
        idUsuario,
        dispositivo: request.headers['user-agent']?.slice(0, 300) ?? null,
        marca: marca ?? null,
        metodo,
        segundoFator,
        isFactorSettled,
        senhaHash: senhaHash ?? null,
        now: created,
        expiraEm,
        ativaDesde: new Date(created.getTime() - config.session.idleSeconds * 1000),
        booking,
      },
      event: {
        action: 'session.created',
        idUsuario,
        details: { metodo: methodText(metodo, segundoFator) },
        request,
      },
    })
    // Most users have no second factor: one statement suffices, and inserts nothing where it does
    // not.
    const opened =
      (secondFactor?.isShown || assertLinked ? undefined : await open(entry(null, !secondFactor))) ??
      (await inTransaction(db, async (tx) => {
        await assertLinked?.(tx)
        const shown = (await secondFactor?.require(tx)) ?? null
        const proven = entry(shown, true)
        const open = async () => (await openAll(tx, [proven]))[0]
        const opened =
          (await open()) ?? ((await endSessionsOverLimit(tx, recordAudit, proven)) ? await open() : undefined)
        // Thrown inside the transaction: the rollback gives back a code that opened no session.
        if (!opened) throw new Problem(metodo === 'senha' ? 'credenciais_invalidas' : 'entrada_recusada')
        return opened
      }))
    const claims = { iat: seconds(created), exp: seconds(expiraEm) }
    return {
      access_token: app.jwt.sign({ sub: String(idUsuario), jti: idSessao, ...claims }),
      token_type: 'Bearer',
      expires_in: config.session.seconds,
      usuario_id: idUsuario,
      client_id: account.idResponsavel,
      tipo: account.tipoUsuario,
      nome: account.nomeUsuario,
      pendencia: pendingOf(opened),
    }
  }
}

/** The method as written in the audit trail. */
const methodText = (metodo: Opening['metodo'], segundoFator: ShownFactor | null): string => {
  if (segundoFator === null) return metodo
  return `${metodo} + ${segundoFator === 'codigo' ? 'código' : 'código de recuperação'}`
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)
