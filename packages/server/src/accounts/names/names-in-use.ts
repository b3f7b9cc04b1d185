import { personName, tidyName } from '@bi-manager/contract'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import type { Tables } from '../../platform/db/types.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { nameSkeleton } from './name-skeleton.ts'

/** Returns the columns of a name, which are always written together. */
export const nameColumns = (nomeUsuario: string) => ({
  nomeUsuario,
  nomeSemelhante: nameSkeleton(nomeUsuario),
})

/**
 * Returns the name that a change gives an account; undefined when it is the current one in any
 * form.
 * @throws Problem 422 when a new account could not have it
 */
export const newNameOf = (before: string, given: string | undefined): string | undefined => {
  if (given === undefined || given === tidyName(before)) return undefined
  const { data, error } = personName.safeParse(given)
  if (data !== undefined) return data
  throw new Problem('campos_invalidos', { campos: { nomeUsuario: error?.issues[0]?.message ?? '' } })
}

/**
 * Locks names until the transaction ends: of two users who take one name at once, the second finds
 * it in use. Take it before any person's row, so that two such transactions cannot deadlock.
 */
export const lockNames = async (tx: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('usuario.nome_usuario', 0))`.execute(tx)
}

type NameOwner = Pick<Selectable<Tables['usuario']>, 'idUsuario' | 'nomeUsuario' | 'situacao'>

interface Options {
  /** Accounts to ignore. */
  except?: number[]
  /** Whether sign-up requests with unverified e-mail count. */
  withUnprovenRequests?: boolean
}

/** Returns the account with each name or one that looks like it, of any status; or undefined. */
export const findNameOwners = async (
  db: Db,
  names: string[],
  { except = [], withUnprovenRequests = true }: Options = {},
): Promise<(NameOwner | undefined)[]> => {
  if (names.length === 0) return []
  // Sign-in compares nome_ordem: in other scripts, a capital may look unlike its small letter.
  const { rows } = await sql<NameOwner & { ordem: number }>`
    select p.ordem::int as ordem, u.id_usuario, u.nome_usuario, u.situacao
    from unnest(${names}::text[], ${names.map(nameSkeleton)}::text[]) with ordinality as p(nome, semelhante, ordem)
    cross join lateral (
      select id_usuario, nome_usuario, situacao from usuario
      where (nome_semelhante = p.semelhante or nome_ordem = sem_acento(p.nome))
        and id_usuario <> all(${except}::int[])
        and (${withUnprovenRequests} or situacao <> 'PENDENTE' or not email_por_provar)
      order by id_usuario
      limit 1
    ) as u`.execute(db)
  const owners = new Map(rows.map(({ ordem, ...owner }) => [ordem, owner]))
  return names.map((_, at) => owners.get(at + 1))
}

export const NAME_IN_USE =
  'Outra conta já usa este nome, ou um que se confunde com ele. Acrescente um sobrenome ou outra parte que o distinga.'

/** Returns the message for an ADMIN, who may know the other account. */
export const nameInUseOf = ({ idUsuario, nomeUsuario, situacao }: NameOwner): string =>
  `Este nome se confunde com o de ${nomeUsuario} (usuário ${idUsuario}, ${situacoes[situacao]}). Acrescente um sobrenome ou outra parte que distinga as duas pessoas.`

const situacoes = { ATIVO: 'ativo', PENDENTE: 'pendente', BLOQUEADO: 'bloqueado' } as const

/**
 * Checks the name in an ADMIN's change, after the write and before the commit.
 * @throws Problem 422 when another account has the name, or one that looks like it
 */
export const assertNameFree = async (
  tx: Db,
  { idUsuario, nomeUsuario }: { idUsuario: number; nomeUsuario: string },
): Promise<void> => {
  const [owner] = await findNameOwners(tx, [nomeUsuario], { except: [idUsuario] })
  if (owner) throw new Problem('campos_invalidos', { campos: { nomeUsuario: nameInUseOf(owner) } })
}
