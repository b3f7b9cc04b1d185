import { type ApiKey, type ApiKeyOrder, KEYS_OF_A_PERSON, type ListQuery } from '@bi-manager/contract'
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import { containsWords, countRows, listPage } from '../../platform/db/queries/list-page.ts'
import type { Tables } from '../../platform/db/types.ts'
import { mayUseKeys } from '../../platform/http/callers/calling-key.ts'
import { Problem } from '../../platform/lib/problem.ts'

const columns = [
  'idChave',
  'chaveApi.nome',
  'prefixo',
  'grupos',
  'redes',
  'criadaEm',
  'expiraEm',
  'usadaEm',
  'usadaDe',
] as const

type Row = Pick<
  Selectable<Tables['chaveApi']>,
  'idChave' | 'nome' | 'prefixo' | 'grupos' | 'redes' | 'criadaEm' | 'expiraEm' | 'usadaEm' | 'usadaDe'
>

const toWire = <R extends Row>(row: R): Omit<R, keyof Row> & ApiKey => ({
  ...row,
  criadaEm: row.criadaEm.toISOString(),
  expiraEm: row.expiraEm.toISOString(),
  usadaEm: row.usadaEm?.toISOString() ?? null,
})

export const listOwnKeys = async (db: Db, idUsuario: number): Promise<ApiKey[]> => {
  const rows = await db
    .selectFrom('chaveApi')
    .select(columns)
    .where('idUsuario', '=', idUsuario)
    .orderBy('criadaEm', 'desc')
    .orderBy('idChave', 'desc')
    .execute()
  return rows.map(toWire)
}

export const canUseKeys = async (db: Db, idUsuario: number): Promise<boolean> => {
  const row = await db
    .selectFrom('usuario')
    .select('idUsuario')
    .where('idUsuario', '=', idUsuario)
    .where(mayUseKeys)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * For a transaction that runs once per person at a time.
 * @throws Problem 409 when the person has as many as one may have
 */
export const insertKey = async (tx: Db, key: Insertable<Tables['chaveApi']>): Promise<ApiKey> => {
  const total = await countRows(tx.selectFrom('chaveApi').where('idUsuario', '=', key.idUsuario))
  if (total >= KEYS_OF_A_PERSON) throw new Problem('chaves_demais')
  return toWire(await tx.insertInto('chaveApi').values(key).returning(columns).executeTakeFirstOrThrow())
}

/** Returns the key and its owner; undefined when there is none, or it is another person's. */
export const findKey = (db: Db, idChave: number, idUsuario?: number) =>
  db
    .selectFrom('chaveApi')
    .select(['idChave', 'nome', 'idUsuario'])
    .where('idChave', '=', idChave)
    .$if(idUsuario !== undefined, (some) => some.where('idUsuario', '=', idUsuario ?? 0))
    .executeTakeFirst()

/** Returns whether the key was there. */
export const deleteKey = async (tx: Db, idChave: number): Promise<boolean> => {
  const { numDeletedRows } = await tx.deleteFrom('chaveApi').where('idChave', '=', idChave).executeTakeFirst()
  return numDeletedRows > 0n
}

type Order = (typeof ApiKeyOrder)[number]

export const listKeys = async (db: Db, query: ListQuery<Order>, now: Date) => {
  const { busca } = query
  const matching = db
    .selectFrom('chaveApi')
    .innerJoin('usuario', 'usuario.idUsuario', 'chaveApi.idUsuario')
    .select(columns)
    .select(['chaveApi.idUsuario', 'nomeUsuario', mayUseKeys.as('podeUsar'), isActiveAccount().as('ativa')])
    .$if(!!busca, (some) =>
      some.where(containsWords(['chaveApi.nomeBusca', 'usuario.nomeBusca'], busca ?? '')),
    )
  const orders = {
    nome: ['chaveApi.nomeNatural', 'idChave'],
    nomeUsuario: ['usuario.nomeOrdem', 'idChave'],
    criadaEm: ['criadaEm', 'idChave'],
    expiraEm: ['expiraEm', 'idChave'],
    usadaEm: [{ column: 'usadaEm', nullable: true }, 'idChave'],
  } as const
  const page = await listPage(db, matching, { query, orders, byDefault: '-criadaEm' })
  return {
    ...page,
    rows: page.rows.map(({ ativa, podeUsar, ...row }) => ({
      ...toWire(row),
      impedimento: denialReasonOf({ expiraEm: row.expiraEm, ativa, podeUsar }, now),
    })),
  }
}

interface Standing {
  expiraEm: Date
  /** Whether the owner's account may be used. */
  ativa: boolean
  podeUsar: boolean
}

const denialReasonOf = ({ expiraEm, ativa, podeUsar }: Standing, now: Date): string | null => {
  if (expiraEm <= now) return 'Vencida'
  if (!ativa) return 'Conta sem acesso'
  return podeUsar ? null : 'Só administradores usam chaves'
}

const settings = ['pessoas', 'mcp', 'versao'] as const

export const getKeySettings = (db: Db) =>
  db.selectFrom('regrasChaves').select(settings).executeTakeFirstOrThrow()

/** Returns the settings, and locks them until the transaction ends. */
export const lockKeySettings = (tx: Db) =>
  tx.selectFrom('regrasChaves').select(settings).forUpdate().executeTakeFirstOrThrow()

/** Returns undefined when the version does not match. */
export const updateKeySettings = (
  tx: Db,
  change: { pessoas: boolean; mcp: boolean },
  ifMatch: number | undefined,
) =>
  tx
    .updateTable('regrasChaves')
    .set((eb) => ({ ...change, versao: eb('versao', '+', 1) }))
    .$if(ifMatch !== undefined, (query) => query.where('versao', '=', ifMatch ?? 0))
    .returning(settings)
    .executeTakeFirst()
