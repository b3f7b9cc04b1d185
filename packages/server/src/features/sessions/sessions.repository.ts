import { type Selectable, sql } from 'kysely'
import type { Beside } from '../../audit/record-audit.ts'
import { endSession } from '../../auth/end-sessions.ts'
import type { ShownFactor } from '../../auth/second-factor.ts'
import type { Db } from '../../db/open-database.ts'
import type { Tables } from '../../db/types.ts'
import { mustChangePassword, mustSetSecondFactor } from './callers.repository.ts'

/** Who is asked for. */
export interface Asked {
  /** As it was typed. */
  username: string
  /** Digest of the device's own mark; looked for without one, and of nobody, too: what is not asked of the database shows in the time taken. */
  marca: string | undefined
  /** The same, as versions before the HMAC kept it. */
  marcaAntiga: string | undefined
}

/**
 * The one active person each name stands for: by e-mail, or by user name where only one active person has it; where there is none,
 * who waits for approval or is blocked, by the same rule.
 * @returns in their order; beside each, the name as the database folds it
 */
export const findAccounts = async (db: Db, asked: Asked[]) => {
  const names = asked.map(({ username }) => username)
  const marks = asked.map(({ marca }) => marca ?? '')
  const earlier = asked.map(({ marcaAntiga }) => marcaAntiga ?? '')
  const { rows } = await sql<AccountRow | Nobody>`
    select a.*, p.ordem::int as ordem, sem_acento(p.nome) as nome_dobrado, exists (
      select from dispositivo_conhecido d
      where d.id_usuario = coalesce(a.id_usuario, 0) and d.marca in (p.marca, p.marca_antiga)
    ) as is_known
    from unnest(${names}::text[], ${marks}::text[], ${earlier}::text[])
      with ordinality as p(nome, marca, marca_antiga, ordem) left join lateral (
      select id_usuario, nome_usuario, email_usuario, senha_hash, tipo_usuario, id_responsavel, situacao,
        lower(email_usuario) = lower(p.nome) as by_email
      from usuario
      where lower(email_usuario) = lower(p.nome) or nome_ordem = sem_acento(p.nome)
      order by situacao = 'ATIVO' desc, by_email desc
      limit 2
    ) as a on true`.execute(db)
  const found = Map.groupBy(rows, ({ ordem }) => ordem)
  return asked.map((_, index) => {
    const ofName = found.get(index + 1) ?? []
    return { account: accountOf(ofName), folded: ofName[0]?.nomeDobrado ?? '' }
  })
}

const accountOf = (rows: (AccountRow | Nobody)[]) => {
  const found = rows.filter((row) => row.idUsuario !== null)
  const active = found.filter(({ situacao }) => situacao === 'ATIVO')
  const candidates = active.length > 0 ? active : found
  const byEmail = candidates.find((row) => row.byEmail)
  return byEmail ?? (candidates.length === 1 ? candidates[0] : undefined)
}

interface AccountRow
  extends Pick<
    Selectable<Tables['usuario']>,
    'idUsuario' | 'nomeUsuario' | 'emailUsuario' | 'senhaHash' | 'tipoUsuario' | 'idResponsavel' | 'situacao'
  > {
  ordem: number
  nomeDobrado: string
  byEmail: boolean
  /** Whether the person has signed in on the device before. */
  isKnown: boolean
}

interface Nobody {
  ordem: number
  nomeDobrado: string
  idUsuario: null
}

/** Known devices a person, the latest used; anybody may make up marks, so they must not pile up. */
const devicesKept = 20

/** Sessions of a person that may be open together. */
export const openSessionsAllowed = 20

export interface NewSession {
  idSessao: string
  idUsuario: number
  dispositivo: string | null
  /** Digest of the device's own mark; null where it sent none. */
  marca: string | null
  metodo: 'senha' | 'provedor'
  segundoFator: ShownFactor | null
  /** Whether none is asked for: what was shown is enough, or comes from a provider that asks for its own. */
  isFactorSettled: boolean
  /** The hash that the password was just checked against; null where none was asked for. */
  senhaHash: string | null
  now: Date
  expiraEm: Date
  /** A session that was last used before this has idled out. */
  ativaDesde: Date
  /** The attempt that has led to it, and so was no failure. */
  booking: number[]
}

/**
 * Sessions, beside the lines of the audit trail that record them. Nothing is done, and no row answered, for whose password was
 * changed, or who was shut out, while the sign-in was on its way, or whose second factor is active and not settled: their row is
 * taken first, as whoever changes any of that takes it, and read as it then is, so that the sessions that such a change ends
 * include this one. Nothing is done either while the person has as many sessions open as they may.
 * @param sessions each of somebody else
 */
export const newSessions = (sessions: NewSession[]): Beside<OpenedSession> => ({
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

/** What its owner has to do first. */
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

/** Ends the person's oldest open sessions, so that one more may be opened. @returns how many */
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

/** Null where the person has no password of ours, and where there is no such person. */
export const passwordHashOf = async (db: Db, idUsuario: number): Promise<string | null> => {
  const row = await db
    .selectFrom('usuario')
    .select('senhaHash')
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()
  return row?.senhaHash ?? null
}
