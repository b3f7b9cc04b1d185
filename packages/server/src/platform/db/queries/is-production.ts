import { sql } from 'kysely'

/** SQL: whether this is production, not a restored copy, which must do nothing that others notice. */
export const isProduction = sql<boolean>`not exists (select from instalacao where ensaio is not null)`
