import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/open-database.ts'
import type { Tables } from '../../db/types.ts'

/** The name and device of one sign-in attempt. */
export interface SignInName {
  /** As typed. */
  username: string
  /**
   * Digest of the device's mark. Queried even when undefined or for an unknown user: a skipped
   * query would show in the response time.
   */
  marca: string | undefined
  /** The same digest as stored by versions before the HMAC. */
  marcaAntiga: string | undefined
}

/**
 * Finds the account for each typed name: an active one by e-mail, or by user name where it is
 * unique among active accounts; else a pending or blocked one by the same rule.
 * @returns in the order of `asked`, each with the name as folded by the database
 */
export const findAccounts = async (db: Db, asked: SignInName[]) => {
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
  /** Whether the user has signed in on this device before. */
  isKnown: boolean
}

interface Nobody {
  ordem: number
  nomeDobrado: string
  idUsuario: null
}
