import { type RawBuilder, sql } from 'kysely'

/* Accounts and grants end by the clock of the database, so that all processes agree on the moment.
   Days are days of America/Sao_Paulo. */

/** SQL: whether the row's end, such as `relatorioUsuario.venceEm`, is absent or still to come. */
export const isCurrent = (column: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} is null or ${sql.ref(column)} > now())`

/**
 * SQL: whether the account may be used now: it is active and has not ended. Each decision on an
 * account uses it instead of `situacao` alone.
 */
export const isActiveAccount = (table = 'usuario'): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${table}.situacao`)} = 'ATIVO' and ${isCurrent(`${table}.venceEm`)})`

/** SQL: the instant at which the day (yyyy-mm-dd, or SQL of a date) has passed. */
export const endOfDay = (day: string | null | RawBuilder<unknown>): RawBuilder<Date | null> =>
  sql<Date | null>`((${day}::date + 1)::timestamp at time zone 'America/Sao_Paulo')`

/** SQL: the last whole day (yyyy-mm-dd) before the end in this column. */
export const lastDayOf = (column: string): RawBuilder<string | null> =>
  sql<string | null>`to_char(
    ${sql.ref(column)} at time zone 'America/Sao_Paulo' - interval '1 microsecond', 'YYYY-MM-DD')`
