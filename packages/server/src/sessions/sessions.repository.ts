import { type Selectable, sql } from 'kysely'
import { endSession } from '../auth/end-sessions.ts'
import type { ShownFactor } from '../auth/second-factor.ts'
import type { Db } from '../db/open-database.ts'
import type { Tables } from '../db/types.ts'
import { mustChangePassword, mustSetSecondFactor } from './callers.repository.ts'

/** The most sessions a user may have open. */
export const openSessionsAllowed = 20

export interface NewSession {
  idSessao: string
  idUsuario: number
  dispositivo: string | null
  metodo: 'senha' | 'provedor'
  segundoFator: ShownFactor | null
  criadaEm: Date
  expiraEm: Date
}

/**
 * Locks the row of an active user, as every change does that ends the user's sessions.
 * @param senhaHash the hash that the password was just checked against, when one was
 * @returns undefined when the account is no longer active, or its password changed
 */
export const lockActiveAccount = (tx: Db, idUsuario: number, senhaHash?: string) =>
  tx
    .selectFrom('usuario')
    .select(['idUsuario', 'temSegundoFator'])
    .where('idUsuario', '=', idUsuario)
    .where('situacao', '=', 'ATIVO')
    .$if(senhaHash !== undefined, (query) => query.where('senhaHash', '=', senhaHash ?? ''))
    .forNoKeyUpdate()
    .executeTakeFirst()

/** What the user must do before anything else. */
interface Duties {
  deveSegundoFator: boolean
  trocarSenha: Selectable<Tables['usuario']>['trocarSenha']
}

/** Inserts a session, whose user's row is locked, and the time of the user's last sign-in. */
export const insertSession = async (tx: Db, session: NewSession): Promise<Duties> => {
  const { idSessao, idUsuario, dispositivo, metodo, segundoFator, criadaEm, expiraEm } = session
  const { rows } = await sql<Duties>`
    with acesso as (
      insert into acesso_usuario (id_usuario, ultimo_acesso) values (${idUsuario}, ${criadaEm})
      on conflict (id_usuario) do update set ultimo_acesso = excluded.ultimo_acesso
    ), sessao as (
      insert into sessao (id_sessao, id_usuario, dispositivo, metodo, segundo_fator, criada_em, ultimo_uso, expira_em)
      values (${idSessao}, ${idUsuario}, ${dispositivo}, ${metodo}, ${segundoFator}, ${criadaEm}, ${criadaEm}, ${expiraEm})
      returning id_usuario, metodo
    )
    select ${mustSetSecondFactor} as deve_segundo_fator, ${mustChangePassword} as trocar_senha
    from sessao join usuario using (id_usuario)`.execute(tx)
  const [duties] = rows
  if (!duties) throw new Error('The user of the new session does not exist.')
  return duties
}

/** @returns false when the session has ended */
export const confirmSession = async (
  tx: Db,
  idSessao: string,
  confirmation: Pick<Selectable<Tables['sessao']>, 'confirmadaEm' | 'confirmadaCom'>,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('sessao')
    .set(confirmation)
    .where('idSessao', '=', idSessao)
    .where('encerradaEm', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends the user's oldest open sessions to make room for one more. @returns how many */
export const endOldestSessions = async (
  tx: Db,
  idUsuario: number,
  { now, idleSeconds }: { now: Date; idleSeconds: number },
): Promise<number> => {
  const oldest = await tx
    .selectFrom('sessao')
    .select('idSessao')
    .where('idUsuario', '=', idUsuario)
    .where('encerradaEm', 'is', null)
    .where('expiraEm', '>', now)
    .where('ultimoUso', '>', new Date(now.getTime() - idleSeconds * 1000))
    .orderBy('criadaEm', 'desc')
    .orderBy('idSessao')
    .offset(openSessionsAllowed - 1)
    .execute()
  for (const { idSessao } of oldest) await endSession(tx, { idUsuario, idSessao }, now)
  return oldest.length
}
