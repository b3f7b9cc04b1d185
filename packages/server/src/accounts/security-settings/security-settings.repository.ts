import type { SecuritySettings, SecuritySettingsUpdate } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'

const columns = [
  'segundoFator',
  'segundoFatorDecidido',
  'buscaSemAcesso',
  'redesAdmin',
  'redesUsuario',
  'versao',
] as const

export const getSettings = (db: Db) => db.selectFrom('configuracao').select(columns).executeTakeFirstOrThrow()

/** Returns the settings, and locks them until the transaction ends. */
export const lockSettings = (tx: Db) =>
  tx.selectFrom('configuracao').select(columns).forUpdate().executeTakeFirstOrThrow()

/** Returns undefined when the version does not match. */
export const updateSettings = (tx: Db, change: SecuritySettingsUpdate, ifMatch: number | undefined) =>
  tx
    .updateTable('configuracao')
    .set((eb) => ({
      ...change,
      ...(change.segundoFator === undefined ? {} : { segundoFatorDecidido: true }),
      versao: eb('versao', '+', 1),
    }))
    .$if(ifMatch !== undefined, (query) => query.where('versao', '=', ifMatch ?? 0))
    .returning(columns)
    .executeTakeFirst()

/**
 * Counts, per rule, the active password users without a second factor: those that the rule would
 * require to set one up.
 */
export const countWithoutFactor = async (db: Db): Promise<SecuritySettings['semSegundoFator']> => {
  const { ambos, ...counts } = await db
    .selectFrom('usuario')
    .select(sql<number>`count(*) filter (where tipo_usuario = 'ADMIN')`.as('administradores'))
    .select(sql<number>`count(*) filter (where acesso_prontuario)`.as('prontuarios'))
    .select(sql<number>`count(*) filter (where tipo_usuario = 'ADMIN' or acesso_prontuario)`.as('ambos'))
    .select(sql<number>`count(*)`.as('todos'))
    .where(isActiveAccount())
    .where('senhaHash', 'is not', null)
    .where('temSegundoFator', '=', false)
    .executeTakeFirstOrThrow()
  return { ...counts, administradores_e_prontuarios: ambos }
}
