import type { Insertable } from 'kysely'
import type { Tables } from '../../src/platform/db/types.ts'
import type { TestApp } from '../test-app.ts'

const hour = 3_600_000

/** Inserts an announcement: a banner for all people, from an hour ago until in an hour. */
export const createAnnouncement = (
  { db, services: { now } }: Pick<TestApp, 'db' | 'services'>,
  fields: Partial<Insertable<Tables['aviso']>> = {},
) =>
  db
    .insertInto('aviso')
    .values({
      titulo: 'Aviso',
      texto: 'Texto',
      publico: 'TODOS',
      forma: 'FAIXA',
      inicio: new Date(now().getTime() - hour),
      fim: new Date(now().getTime() + hour),
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
