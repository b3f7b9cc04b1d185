import { emailOf } from '@bi-manager/contract'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount, isCurrent } from '../../platform/db/queries/expiry.ts'
import type { Tables } from '../../platform/db/types.ts'

/** The name and device of a sign-in attempt. */
interface SignInName {
  /** The name as the user typed it. */
  username: string
  /**
   * Digest of the device's mark. Queried even when undefined or for an unknown user: a skipped
   * query would show in the response time.
   */
  marca: string | undefined
  /** The same digest as stored by versions before the HMAC. */
  marcaAntiga: string | undefined
}

type AccountRow = Pick<
  Selectable<Tables['usuario']>,
  'idUsuario' | 'nomeUsuario' | 'emailUsuario' | 'senhaHash' | 'tipoUsuario' | 'idResponsavel' | 'situacao'
> & {
  byEmail: boolean
  isActive: boolean
  /** Whether the account's end has not come. */
  isCurrent: boolean
  /** Whether the user has signed in on this device before. */
  isKnown: boolean
}

/**
 * Finds the account for a typed name: an active one by e-mail, or by user name where it is unique
 * among active accounts; else a pending, blocked or ended one by the same rule.
 * @returns the account, if any, and the name as folded by the database
 */
export const findAccount = async (db: Db, { username, marca = '', marcaAntiga = '' }: SignInName) => {
  const { rows } = await sql<(AccountRow | { idUsuario: null }) & { nomeDobrado: string }>`
    select a.*, sem_acento(p.email) as nome_dobrado, exists (
      select from dispositivo_conhecido d
      where d.id_usuario = coalesce(a.id_usuario, 0) and d.marca in (${marca}, ${marcaAntiga})
    ) as is_known
    from (select ${username}::text as nome, ${emailOf(username) ?? username}::text as email) as p left join lateral (
      select id_usuario, nome_usuario, email_usuario, senha_hash, tipo_usuario, id_responsavel, situacao,
        lower(email_usuario) = lower(p.email) as by_email,
        ${isActiveAccount()} as is_active, ${isCurrent('usuario.venceEm')} as is_current
      from usuario
      where lower(email_usuario) = lower(p.email) or nome_ordem = sem_acento(p.nome)
      order by is_active desc, by_email desc
      limit 2
    ) as a on true`.execute(db)
  const found = rows.filter((row) => row.idUsuario !== null)
  const active = found.filter(({ isActive }) => isActive)
  const candidates = active.length > 0 ? active : found
  const byEmail = candidates.find((row) => row.byEmail)
  return {
    account: byEmail ?? (candidates.length === 1 ? candidates[0] : undefined),
    folded: rows[0]?.nomeDobrado ?? '',
  }
}
