import type { OwnSession } from '@bi-manager/contract'
import type { Db } from '../../platform/db/open-database.ts'
import { endSession } from '../sessions/end-sessions.ts'

interface Alive {
  now: Date
  idleSeconds: number
}

const open = (db: Db, idUsuario: number, { now, idleSeconds }: Alive) =>
  db
    .selectFrom('sessao')
    .select(['idSessao', 'dispositivo', 'metodo', 'segundoFator', 'criadaEm', 'ultimoUso', 'expiraEm'])
    .where('idUsuario', '=', idUsuario)
    .where('encerradaEm', 'is', null)
    .where('expiraEm', '>', now)
    .where('ultimoUso', '>', new Date(now.getTime() - idleSeconds * 1000))

/** Bounds the answer when a script opened many sessions. */
const mostListed = 200

export const listOpenSessions = async (
  db: Db,
  { idUsuario, idSessao: own }: { idUsuario: number; idSessao: string },
  alive: Alive,
): Promise<OwnSession[]> => {
  const rows = await open(db, idUsuario, alive)
    .orderBy((eb) => eb('idSessao', '=', own), 'desc')
    .orderBy('ultimoUso', 'desc')
    .orderBy('idSessao')
    .limit(mostListed)
    .execute()
  const sessions = rows.map(({ criadaEm, ultimoUso, expiraEm, ...session }) => ({
    ...session,
    criadaEm: criadaEm.toISOString(),
    ultimoUso: ultimoUso.toISOString(),
    expiraEm: expiraEm.toISOString(),
    atual: session.idSessao === own,
  }))
  return sessions.sort((a, b) => b.ultimoUso.localeCompare(a.ultimoUso))
}

/** Ends an open session of the user; returns undefined when there is none with this id. */
export const endOwnSession = async (
  tx: Db,
  { idUsuario, idSessao }: { idUsuario: number; idSessao: string },
  alive: Alive,
) => {
  const session = await open(tx, idUsuario, alive)
    .where('idSessao', '=', idSessao)
    .forUpdate()
    .executeTakeFirst()
  if (!session) return undefined
  await endSession(tx, { idUsuario, idSessao }, alive.now)
  return session
}
