import type { Insertable } from 'kysely'
import type { Tables } from '../../src/platform/db/types.ts'
import type { TestApp } from '../test-app.ts'

type Fields = Partial<Insertable<Tables['comentario']>>

/** Inserts a comment that begins a thread, unless `fields` names one. */
export const createComment = (
  { db }: Pick<TestApp, 'db'>,
  fields: Fields & { idRelatorio: number; idUsuario: number },
) =>
  db
    .insertInto('comentario')
    .values({ texto: 'Um comentário', filtros: '{}', criadoEm: new Date(), ...fields })
    .returningAll()
    .executeTakeFirstOrThrow()
