import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'
import type { Tables } from '../../platform/db/types.ts'
import { type Duties, mustChangePassword, mustSetSecondFactor } from './callers.repository.ts'
import { endingOfSurplus } from './end-sessions.ts'

/** The most sessions a user may have open. */
export const openSessionsAllowed = 20

export type NewSession = Pick<
  Selectable<Tables['sessao']>,
  'idSessao' | 'idUsuario' | 'dispositivo' | 'metodo' | 'segundoFator' | 'criadaEm' | 'expiraEm'
>

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
    .where(isActiveAccount())
    .$if(senhaHash !== undefined, (query) => query.where('senhaHash', '=', senhaHash ?? ''))
    .forNoKeyUpdate()
    .executeTakeFirst()

interface InsertedSession extends Duties {
  /** How many sessions were ended. */
  encerradas: number
}

/**
 * Inserts a session, whose user's row is locked, and the time of the user's last sign-in. Ends the
 * user's oldest open sessions over the limit, in the same statement.
 */
export const insertSession = async (
  tx: Db,
  session: NewSession,
  idleSeconds: number,
): Promise<InsertedSession> => {
  const { idSessao, idUsuario, dispositivo, metodo, segundoFator, criadaEm, expiraEm } = session
  const activeSince = new Date(criadaEm.getTime() - idleSeconds * 1000)
  // `excedente` does not see the new session, so it keeps one less than allowed.
  const { rows } = await sql<InsertedSession>`
    with acesso as (
      insert into acesso_usuario (id_usuario, ultimo_acesso) values (${idUsuario}, ${criadaEm})
      on conflict (id_usuario) do update set ultimo_acesso = excluded.ultimo_acesso
    ), excedente as (
      select id_sessao, id_usuario from sessao
      where id_usuario = ${idUsuario} and encerrada_em is null
        and expira_em > ${criadaEm} and ultimo_uso > ${activeSince}
      order by criada_em desc, id_sessao offset ${openSessionsAllowed - 1}
    ), ${endingOfSurplus(criadaEm)}, nova as (
      insert into sessao (id_sessao, id_usuario, dispositivo, metodo, segundo_fator, criada_em, ultimo_uso, expira_em)
      values (${idSessao}, ${idUsuario}, ${dispositivo}, ${metodo}, ${segundoFator}, ${criadaEm}, ${criadaEm}, ${expiraEm})
      returning id_usuario, metodo
    )
    select ${mustSetSecondFactor} as deve_segundo_fator, ${mustChangePassword} as trocar_senha,
      (select count(*)::int from encerrada) as encerradas
    from nova as sessao join usuario using (id_usuario)`.execute(tx)
  const [inserted] = rows
  if (!inserted) throw new Error('The user of the new session does not exist.')
  return inserted
}

/** @returns false when the session has ended */
export const confirmSession = (
  tx: Db,
  idSessao: string,
  confirmation: Pick<Selectable<Tables['sessao']>, 'confirmadaEm' | 'confirmadaCom'>,
): Promise<boolean> =>
  hasChanged(
    tx
      .updateTable('sessao')
      .set(confirmation)
      .where('idSessao', '=', idSessao)
      .where('encerradaEm', 'is', null),
  )
