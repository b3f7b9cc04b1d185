import { randomUUID } from 'node:crypto'
import { KeyGroup } from '@bi-manager/contract'
import type { Insertable } from 'kysely'
import { markOfKey } from '../../src/accounts/api-keys/key-callers.ts'
import type { Tables } from '../../src/platform/db/types.ts'
import { newKey } from '../../src/platform/lib/prefixed-key.ts'
import type { TestApp } from '../test-app.ts'

type KeyApp = Pick<TestApp, 'db' | 'services'>

/** Inserts an API key of every group, and returns it with its credential. */
export const createKey = async (
  { db, services: { secrets, now } }: KeyApp,
  { idUsuario }: { idUsuario: number },
  fields: Partial<Insertable<Tables['chaveApi']>> = {},
) => {
  const credencial = newKey('bim_')
  const criadaEm = now()
  const key = await db
    .insertInto('chaveApi')
    .values({
      idUsuario,
      nome: `Chave ${randomUUID()}`,
      prefixo: credencial.slice(0, 10),
      metodo: 'senha',
      marca: markOfKey(secrets, credencial),
      grupos: KeyGroup.options,
      criadaEm,
      expiraEm: new Date(criadaEm.getTime() + 24 * 3_600_000),
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...key, credencial }
}

/** Lets people who are no ADMIN make and use keys. */
export const allowKeys = async ({ db }: Pick<TestApp, 'db'>, pessoas = true): Promise<void> => {
  await db.updateTable('regrasChaves').set({ pessoas }).execute()
}
