import { type Selectable, sql } from 'kysely'
import type { AuditedStatement } from '../audit/record-audit.ts'
import { endSession } from '../auth/end-sessions.ts'
import type { ShownFactor } from '../auth/second-factor.ts'
import type { Db } from '../db/open-database.ts'
import type { Tables } from '../db/types.ts'
import { mustChangePassword, mustSetSecondFactor } from './callers.repository.ts'

/** Most known devices per user. Anyone can invent marks, so they must not accumulate. */
const devicesKept = 20

/** The most sessions a user may have open. */
export const openSessionsAllowed = 20

export interface NewSession {
  idSessao: string
  idUsuario: number
  dispositivo: string | null
  /** Digest of the device's mark; null when the device sent none. */
  marca: string | null
  metodo: 'senha' | 'provedor'
  segundoFator: ShownFactor | null
  /** No code is required: it was shown, or the identity provider checks its own factor. */
  isFactorSettled: boolean
  /** The hash that the password was just checked against; null when no password was used. */
  senhaHash: string | null
  now: Date
  expiraEm: Date
  /** A session last used before this has idled out. */
  ativaDesde: Date
  /** Ids of the booked attempt, deleted because it succeeded. */
  booking: number[]
}

/**
 * Inserts sessions together with their audit lines. Skips a user whose password changed, who was
 * blocked, whose second factor is active and not shown, or who has reached the session limit.
 * The user's row is locked first, as every such change locks it, so that a change that ends all
 * sessions also ends this one.
 * @param sessions one per user
 */
export const insertSessionsStatement = (sessions: NewSession[]): AuditedStatement<OpenedSession> => ({
  with: sql`pedida as materialized (
      select * from json_to_recordset(${JSON.stringify(sessions)}::json) as p("idSessao" uuid, "idUsuario" int, dispositivo text,
        marca text, metodo text, "segundoFator" text, "isFactorSettled" boolean, "senhaHash" text, now timestamptz,
        "expiraEm" timestamptz, "ativaDesde" timestamptz, booking bigint[])
    ), travada as (
      select u.id_usuario, u.tipo_usuario, u.acesso_prontuario, u.trocar_senha, u.tem_segundo_fator, p.*
      from pedida p join usuario u on u.id_usuario = p."idUsuario"
      where u.situacao = 'ATIVO' and (p."senhaHash" is null or u.senha_hash = p."senhaHash")
        and (p."isFactorSettled" or not u.tem_segundo_fator)
      order by u.id_usuario
      for no key update of u
    ), pessoa as materialized (
      select * from travada where sessoes_abertas(id_usuario, now, "ativaDesde") < ${openSessionsAllowed}
    ), acesso as (
      insert into acesso_usuario (id_usuario, ultimo_acesso) select id_usuario, now from pessoa
      on conflict (id_usuario) do update set ultimo_acesso = excluded.ultimo_acesso
    ), nova_sessao as (
      insert into sessao (id_sessao, id_usuario, dispositivo, metodo, segundo_fator, criada_em, ultimo_uso, expira_em)
      select "idSessao", id_usuario, dispositivo, metodo, "segundoFator", now, now, "expiraEm" from pessoa
      returning id_sessao, metodo
    ), este_aparelho as (
      insert into dispositivo_conhecido (id_usuario, marca, ultimo_uso)
      select id_usuario, marca, now from pessoa where marca is not null
      on conflict (id_usuario, marca) do update set ultimo_uso = excluded.ultimo_uso
    ), outros_aparelhos as (
      delete from dispositivo_conhecido d using pessoa p where d.id_usuario = p.id_usuario and d.marca <> p.marca
        and d.marca not in (
          select marca from dispositivo_conhecido o where o.id_usuario = p.id_usuario and o.marca <> p.marca
          order by o.ultimo_uso desc limit ${devicesKept - 1})
    ), esquecida as (
      delete from falha_login where id_falha = any(array(select unnest(booking) from pessoa))
    )`,
  when: sql`r."idUsuario" in (select id_usuario from pessoa)`,
  select: sql`select id_sessao, ${mustSetSecondFactor} as deve_segundo_fator, ${mustChangePassword} as trocar_senha
    from pessoa as usuario join nova_sessao as sessao on sessao.id_sessao = usuario."idSessao"`,
})

/** What the user must do before anything else. */
export interface OpenedSession {
  idSessao: string
  deveSegundoFator: boolean
  trocarSenha: Selectable<Tables['usuario']>['trocarSenha']
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
  { idUsuario, now, ativaDesde }: Pick<NewSession, 'idUsuario' | 'now' | 'ativaDesde'>,
): Promise<number> => {
  const oldest = await tx
    .selectFrom('sessao')
    .select('idSessao')
    .where('idUsuario', '=', idUsuario)
    .where('encerradaEm', 'is', null)
    .where('expiraEm', '>', now)
    .where('ultimoUso', '>', ativaDesde)
    .orderBy('criadaEm', 'desc')
    .orderBy('idSessao')
    .offset(openSessionsAllowed - 1)
    .execute()
  for (const { idSessao } of oldest) await endSession(tx, { idUsuario, idSessao }, now)
  return oldest.length
}
