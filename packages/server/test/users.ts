import { User } from '@bi-manager/contract'
import { hash } from '@node-rs/argon2'
import type { Insertable } from 'kysely'
import { nameColumns } from '../src/accounts/names/names-in-use.ts'
import type { Tables } from '../src/platform/db/types.ts'
import type { TestApp } from './test-app.ts'

export const password = 'Uma senha de teste 7'

/**
 * Hashed at the lowest cost that Argon2id allows: a hash states its own cost, and hundreds of tests
 * sign in. same-work.test.ts tests with the product's cost.
 */
export const cheapPasswordHash = hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
let last = 0

/** The optional fields of a user in answers, all empty. */
export const emptyFields = Object.fromEntries(
  Object.entries(User.shape).flatMap(([name, schema]) =>
    schema.safeParse(null).success ? [[name, null]] : [],
  ),
)

/** Inserts a user who can sign in with `password`; `fields` overrides columns. */
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
      senhaHash: await cheapPasswordHash,
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, password }
}
