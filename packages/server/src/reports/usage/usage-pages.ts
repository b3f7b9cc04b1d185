import { type ListQuery, PAGE_SIZE, WHOLE_LIST } from '@bi-manager/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import type { ListPage, WholeList } from '../../platform/db/queries/list-page.ts'

export type Paging = Pick<ListQuery, 'pagina' | 'tamanho'>

const pagingOf = ({ pagina, tamanho = PAGE_SIZE }: Paging) => {
  const limit = pagina === undefined ? WHOLE_LIST : tamanho
  return { limit, offset: pagina === undefined ? 0 : (pagina - 1) * limit }
}

/** A row with the number of all rows of its list. */
export type Counted<R> = R & { total: number }

/** Runs a query whose rows carry the total number of rows. */
export const usagePage = async <R>(
  db: Db,
  query: (limit: RawBuilder<unknown>) => RawBuilder<Counted<R>>,
  paging: Paging,
): Promise<ListPage<Omit<Counted<R>, 'total'>>> => {
  const { limit, offset } = pagingOf(paging)
  const { rows } = await query(sql`limit ${limit} offset ${offset}`).execute(db)
  // A page past the end has no row that says how many there are.
  const { rows: first } = rows.length > 0 || offset === 0 ? { rows } : await query(sql`limit 1`).execute(db)
  const total = first[0]?.total ?? 0
  const shown = rows.map(({ total: _, ...row }) => row)
  return { rows: shown, total, isCapped: false, hasNext: offset + rows.length < total }
}

/** Returns rows as an export takes them. */
export const listOf = <R extends object>(all: R[]): WholeList<R> => {
  async function* rows() {
    yield* all
  }
  return { count: all.length, rows: rows() }
}

/** Reads a whole list, for a CSV. */
export const wholeOf = async <R extends object>(db: Db, query: RawBuilder<R>): Promise<WholeList<R>> =>
  listOf((await query.execute(db)).rows)

/** The SQL in place of a limit, for a query of all rows. */
export const everything = sql``
