import { randomUUID } from 'node:crypto'
import type { SignedIn, UserType } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'
import { pendingOf } from './callers.repository.ts'
import { deviceMark, rememberDevice } from './known-devices.ts'
import { notifySurplusEnded } from './session-limit.ts'
import { insertSession, type NewSession } from './sessions.repository.ts'

interface Opening {
  account: { idUsuario: number; nomeUsuario: string; tipoUsuario: UserType; idResponsavel: number }
  metodo: NewSession['metodo']
  /** Null: the user has no second factor, or the identity provider checks its own. */
  segundoFator: NewSession['segundoFator']
  request: FastifyRequest
}

/**
 * Opens a session for an authenticated user, in a transaction that holds the lock of the user's row
 * (`lockActiveAccount`): a concurrent change that ends all sessions of the user also ends this one.
 * The caller has checked the network, as the guard does at each call of the session.
 */
export const openSession = async (
  app: FastifyInstance,
  tx: Db,
  services: Pick<Services, 'config' | 'secrets' | 'now' | 'writeAudit'>,
  { account, metodo, segundoFator, request }: Opening,
): Promise<SignedIn> => {
  const { config, secrets, writeAudit } = services
  const { idUsuario } = account
  const now = services.now()
  const expiraEm = new Date(now.getTime() + config.session.seconds * 1000)
  const idSessao = randomUUID()
  const dispositivo = request.headers['user-agent']?.slice(0, 300) ?? null
  const session = { idSessao, idUsuario, dispositivo, metodo, segundoFator, criadaEm: now, expiraEm }
  const { encerradas, ...duties } = await insertSession(tx, session, config.session.idleSeconds)
  if (encerradas > 0) {
    await notifySurplusEnded(tx, services, { idUsuario, sessoesEncerradas: encerradas, now, request })
  }
  const marca = deviceMark(request, secrets.digest)
  if (marca) await rememberDevice(tx, idUsuario, marca, now)
  const details = { metodo: methodText(metodo, segundoFator) }
  await writeAudit(tx, { action: 'session.created', idUsuario, details, request })
  const claims = { iat: secondsOf(now), exp: secondsOf(expiraEm) }
  return {
    access_token: app.jwt.sign({ sub: String(idUsuario), jti: idSessao, ...claims }),
    token_type: 'Bearer',
    expires_in: config.session.seconds,
    usuario_id: idUsuario,
    client_id: account.idResponsavel,
    tipo: account.tipoUsuario,
    nome: account.nomeUsuario,
    pendencia: pendingOf(duties),
  }
}

/** The method as written in the audit trail. */
const methodText = (metodo: Opening['metodo'], segundoFator: NewSession['segundoFator']): string => {
  if (segundoFator === null) return metodo
  return `${metodo} + ${segundoFator === 'codigo' ? 'código' : 'código de recuperação'}`
}

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)
