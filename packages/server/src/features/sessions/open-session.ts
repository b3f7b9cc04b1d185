import { randomUUID } from 'node:crypto'
import type { SignedIn, UserType } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ShownFactor } from '../../auth/second-factor.ts'
import { createTurns } from '../../auth/turns.ts'
import { inBatches } from '../../db/in-batches.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import type { Db } from '../../db/open-database.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../problem.ts'
import { pendingOf } from './callers.repository.ts'
import { type Entry, makeRoomForSession } from './make-room-for-session.ts'
import { newSessions, type OpenedSession } from './sessions.repository.ts'

interface Opening {
  account: { idUsuario: number; nomeUsuario: string; tipoUsuario: UserType; idResponsavel: number }
  metodo: 'senha' | 'provedor'
  /** The hash that the password was just checked against; undefined where none was asked for. */
  senhaHash: string | undefined
  /** Digest of the device's own mark, where it sent one. */
  marca: string | undefined
  request: FastifyRequest
  /** The attempt booked for it, which is forgotten. */
  booking: number[]
  /**
   * Demands the second factor of who has one, in the transaction that opens the session.
   * @throws Problem when it was not shown
   */
  secondFactor?: { isShown: boolean; require: (tx: Db) => Promise<ShownFactor | null> }
  /**
   * Holds the person's row, and checks that the identity of the provider is still linked to the account.
   * @throws Problem when it is not
   */
  assertLinked?: (tx: Db) => Promise<void>
}

/**
 * What opens a session for somebody who has shown who they are; those of one moment are opened in one statement.
 * @throws Problem 401 when the password was changed, or the person shut out, meanwhile
 */
export const createSessionOpener = (
  app: FastifyInstance,
  { db, config, now, recordAudit }: Pick<Services, 'db' | 'config' | 'now' | 'recordAudit'>,
) => {
  const openAll = async (tx: Db, entries: Entry[]): Promise<(OpenedSession | undefined)[]> => {
    const events = entries.map(({ event }) => event)
    const rows = await recordAudit(tx, events, newSessions(entries.map(({ session }) => session)))
    const opened = new Map(rows.map((row) => [row.idSessao, row]))
    return entries.map(({ session }) => opened.get(session.idSessao))
  }
  const openTogether = inBatches((entries: Entry[]) => openAll(db, entries))
  // Whoever comes in twice in one moment does so one after the other.
  const turns = createTurns(1)
  const open = (entry: Entry) => turns.take(String(entry.session.idUsuario), () => openTogether(entry))

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
    const entry = (segundoFator: ShownFactor | null, isFactorSettled: boolean): Entry => ({
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
    // Most people have no second factor: one statement, which does nothing where it is not enough.
    const opened =
      (secondFactor?.isShown || assertLinked ? undefined : await open(entry(null, !secondFactor))) ??
      (await inTransaction(db, async (tx) => {
        await assertLinked?.(tx)
        const shown = (await secondFactor?.require(tx)) ?? null
        const proven = entry(shown, true)
        const open = async () => (await openAll(tx, [proven]))[0]
        const opened =
          (await open()) ?? ((await makeRoomForSession(tx, recordAudit, proven)) ? await open() : undefined)
        // Thrown in here: a code that opens nothing is not used up.
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

/** As the trail says it. */
const methodText = (metodo: Opening['metodo'], segundoFator: ShownFactor | null): string => {
  if (segundoFator === null) return metodo
  return `${metodo} + ${segundoFator === 'codigo' ? 'código' : 'código de recuperação'}`
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)
