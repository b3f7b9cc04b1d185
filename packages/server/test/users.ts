import { hash } from '@node-rs/argon2'
import type { Insertable } from 'kysely'
import type { Tables } from '../src/db/types.ts'
import { nameColumns } from '../src/names/names-in-use.ts'
import type { TestApp } from './test-app.ts'

export const password = 'Uma senha de teste 7'

/**
 * As the product keeps it, at the least cost that Argon2id allows: a hash says itself what it costs to check, and hundreds of
 * tests sign in. What the product's own cost does is tested where it matters (same-work.test.ts).
 */
export const hashedCheaply = hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
let last = 0

/** A person who can sign in with `password`; anything may be said otherwise. */
export const createUser = async (
  app: Pick<TestApp, 'db'>,
  fields: Partial<Insertable<Tables['usuario']>> = {},
) => {
  last += 1
  const row = await app.db
    .insertInto('usuario')
    .values({
      ...nameColumns(fields.nomeUsuario ?? `Pessoa ${last}`),
      emailUsuario: `pessoa${last}@exemplo.com.br`,
      senhaHash: await hashedCheaply,
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, password }
}
