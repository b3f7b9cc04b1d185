import type { Insertable } from 'kysely'
import { hashPassword } from '../src/auth/passwords.ts'
import type { Tables } from '../src/db/types.ts'
import type { TestApp } from './test-app.ts'

export const password = 'Uma senha de teste 7'
const hashed = hashPassword(password)
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
      nomeUsuario: `Pessoa ${last}`,
      emailUsuario: `pessoa${last}@exemplo.com.br`,
      senhaHash: await hashed,
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, password }
}
