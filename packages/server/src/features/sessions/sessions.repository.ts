import { type Selectable, sql } from 'kysely'
import type { Beside } from '../../audit/record-audit.ts'
import type { ShownFactor } from '../../auth/second-factor.ts'
import type { Db } from '../../db/open-database.ts'
import type { Tables } from '../../db/types.ts'
import { mustChangePassword, mustSetSecondFactor } from './callers.repository.ts'

/**
 * The one active person a name stands for: by e-mail, or by user name where only one active person has it; where there is none,
 * who waits for approval or is blocked, by the same rule.
 * @param marca digest of the device's own mark; looked for without one, and of nobody, too: what is not asked of the database
 *   shows in the time taken
 */
export const findAccount = async (db: Db, username: string, marca = '') => {
  const { rows } = await sql<AccountRow | Nobody>`
    select a.*, exists (
      select from dispositivo_conhecido d where d.id_usuario = coalesce(a.id_usuario, 0) and d.marca = ${marca}
    ) as is_known
    from (values (1)) as sempre left join lateral (
      select id_usuario, nome_usuario, email_usuario, senha_hash, tipo_usuario, id_responsavel, situacao,
        lower(email_usuario) = lower(${username}) as by_email
      from usuario
      where lower(email_usuario) = lower(${username}) or nome_ordem = sem_acento(${username})
      order by situacao = 'ATIVO' desc, by_email desc
      limit 2
    ) as a on true`.execute(db)
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
  byEmail: boolean
  /** Whether the person has signed in on the device before. */
  isKnown: boolean
}

interface Nobody {
  idUsuario: null
}

/** Known devices a person, the latest used; anybody may make up marks, so they must not pile up. */
const devicesKept = 20

interface NewSession {
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
  /** The attempt that has led to it, and so was no failure. */
  booking: number[]
}

/**
 * The session, beside the line of the audit trail that records it. Nothing is done, and no row answered, when the password was
 * changed, or the person shut out, while the sign-in was on its way, or a second factor is active and not settled: their row is
 * taken first, as whoever changes any of that takes it, and read as it then is, so that the sessions that such a change ends
 * include this one.
 */
export const newSession = ({
  idSessao,
  idUsuario,
  dispositivo,
  marca,
  metodo,
  segundoFator,
  isFactorSettled,
  senhaHash,
  now,
  expiraEm,
  booking,
}: NewSession): Beside<{ deveSegundoFator: boolean; trocarSenha: boolean }> => ({
  with: sql`pessoa as (
      select id_usuario, tipo_usuario, trocar_senha, tem_segundo_fator from usuario
      where id_usuario = ${idUsuario} and situacao = 'ATIVO'
        and (${senhaHash}::text is null or senha_hash = ${senhaHash})
        and (${isFactorSettled}::boolean or not tem_segundo_fator)
      for no key update
    ), acesso as (
      insert into acesso_usuario (id_usuario, ultimo_acesso) select id_usuario, ${now}::timestamptz from pessoa
      on conflict (id_usuario) do update set ultimo_acesso = excluded.ultimo_acesso
    ), nova_sessao as (
      insert into sessao (id_sessao, id_usuario, dispositivo, metodo, segundo_fator, criada_em, ultimo_uso, expira_em)
      select ${idSessao}::uuid, id_usuario, ${dispositivo}, ${metodo}, ${segundoFator}, ${now}::timestamptz, ${now}::timestamptz,
        ${expiraEm}::timestamptz
      from pessoa
      returning metodo
    ), este_aparelho as (
      insert into dispositivo_conhecido (id_usuario, marca, ultimo_uso)
      select id_usuario, ${marca}, ${now}::timestamptz from pessoa where ${marca}::text is not null
      on conflict (id_usuario, marca) do update set ultimo_uso = excluded.ultimo_uso
    ), outros_aparelhos as (
      delete from dispositivo_conhecido d using pessoa where d.id_usuario = pessoa.id_usuario and d.marca <> ${marca}
        and d.marca not in (
          select marca from dispositivo_conhecido o where o.id_usuario = ${idUsuario} and o.marca <> ${marca}
          order by o.ultimo_uso desc limit ${devicesKept - 1})
    ), esquecida as (delete from falha_login where id_falha = any(${booking}::bigint[])
      and exists (select from pessoa))`,
  when: sql`exists (select from pessoa)`,
  select: sql`select ${mustSetSecondFactor} as deve_segundo_fator, ${mustChangePassword} as trocar_senha
    from pessoa as usuario cross join nova_sessao as sessao`,
})

export const endSession = async (tx: Db, idSessao: string, now: Date): Promise<void> => {
  await tx.updateTable('sessao').set({ encerradaEm: now }).where('idSessao', '=', idSessao).execute()
}

/** In a transaction that holds the person's row, as whoever ends sessions does. */
export const isSessionOpen = async (tx: Db, idSessao: string): Promise<boolean> => {
  const row = await tx
    .selectFrom('sessao')
    .select('idSessao')
    .where('idSessao', '=', idSessao)
    .where('encerradaEm', 'is', null)
    .executeTakeFirst()
  return row !== undefined
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
