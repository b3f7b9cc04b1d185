import {
  COUNTED_EXACTLY,
  type ListQuery,
  MAX_COUNTED,
  PAGE_SIZE,
  WHOLE_LIST,
  withUnicodeDomains,
} from '@bi-manager/contract'
import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../open-database.ts'
import type { Tables } from '../types.ts'

export interface ListPage<R> {
  rows: R[]
  /** Number of matching rows; at most MAX_COUNTED when `isCapped`. */
  total: number
  isCapped: boolean
  hasNext: boolean
}

/** Columns or expressions, the last unique. Nulls of a `nullable` column: first if ascending, else last. */
export type Orders<F extends string> = Record<
  F,
  readonly (string | RawBuilder<unknown> | { column: string; nullable: true })[]
>

/** A table of any size, whose row count triggers maintain. */
export interface LargeTable {
  name: Tables['totalLinhas']['tabela']
  /** Its unique column in the query, such as `usuario.idUsuario`. */
  key: string
  /** Whether a search or filter restricts the list. */
  isNarrowed: boolean
}

interface Options<F extends string> {
  query: ListQuery<F>
  orders: Orders<F>
  byDefault: F | `-${F}`
  large?: LargeTable
}

/** The rows of one page within what a query selects, in order. */
interface Slice<F extends string> {
  limit: number
  offset: number
  orders: Orders<F>
  order: F | `-${F}`
}

/** Returns one page of what `matching` selects, and the number of matching rows. */
export const listPage = async <DB, TB extends keyof DB, R, F extends string>(
  db: Db,
  matching: SelectQueryBuilder<DB, TB, R>,
  { query, orders, byDefault, large }: Options<F>,
): Promise<ListPage<R>> => {
  const limit = query.pagina === undefined ? WHOLE_LIST : (query.tamanho ?? PAGE_SIZE)
  const offset = query.pagina === undefined ? 0 : (query.pagina - 1) * limit
  const slice: Slice<F> = { limit, offset, orders, order: query.ordem ?? byDefault }
  if (!large) return smallPage(matching, slice, await countMatches(db, matching))
  const size = await countWhole(db, large.name)
  if (size <= COUNTED_EXACTLY)
    return smallPage(matching, slice, large.isNarrowed ? await countMatches(db, matching) : size)
  return large.isNarrowed ? searchedPage(db, matching, large, slice) : wholePage(matching, large, slice, size)
}

/** For tables that are small enough to sort and to count exactly. */
const smallPage = <DB, TB extends keyof DB, R, F extends string>(
  matching: SelectQueryBuilder<DB, TB, R>,
  slice: Slice<F>,
  total: number,
): Promise<ListPage<R>> => readPage(sliceOf(matching, slice), slice, total)

/**
 * For a large table without a search or filter: an index of the order alone gives the keys, and only the
 * rows of the page are read from the table.
 */
const wholePage = <DB, TB extends keyof DB, R, F extends string>(
  matching: SelectQueryBuilder<DB, TB, R>,
  large: LargeTable,
  slice: Slice<F>,
  total: number,
): Promise<ListPage<R>> => {
  const { key, keys } = keysOf(matching, large)
  const rows = matching.where(sql<boolean>`${key} in (${sliceOf(keys, slice)})`)
  return readPage(ordered(rows, slice.orders, slice.order), slice, total)
}

/**
 * For a search or filter in a large table. Up to MAX_COUNTED matches come from the index of the search
 * and are sorted; for more, the page comes from the index of the order, and the total is capped.
 */
const searchedPage = async <DB, TB extends keyof DB, R, F extends string>(
  db: Db,
  matching: SelectQueryBuilder<DB, TB, R>,
  large: LargeTable,
  slice: Slice<F>,
): Promise<ListPage<R>> => {
  const { key, keys } = keysOf(matching, large)
  const { rows: found } = await sql<{ total: number; ids: number[] }>`
    with first_found as materialized ${keys.limit(MAX_COUNTED + 1)},
      counted as (select count(*)::int as total from first_found)
    select total, case when total > ${MAX_COUNTED}
      then array${sliceOf(keys, slice)} else array(select key from first_found) end as ids
    from counted`.execute(db)
  const { total = 0, ids = [] } = found[0] ?? {}
  const rows = matching.where(sql<boolean>`${key} = any(${ids}::int[])`)
  if (total <= MAX_COUNTED) return readPage(sliceOf(rows, slice), slice, total)
  const page = await readPage(ordered(rows, slice.orders, slice.order), slice, MAX_COUNTED)
  return { ...page, isCapped: true }
}

const keysOf = <DB, TB extends keyof DB, R>(matching: SelectQueryBuilder<DB, TB, R>, large: LargeTable) => {
  const key = sql.ref<number>(large.key)
  return { key, keys: matching.clearSelect().select(key.as('key')) }
}

/** Selects the rows of the page, and one more, which shows whether a next page exists. */
const sliceOf = <DB, TB extends keyof DB, R, F extends string>(
  rows: SelectQueryBuilder<DB, TB, R>,
  { limit, offset, orders, order }: Slice<F>,
) =>
  ordered(rows, orders, order)
    .limit(limit + 1)
    .offset(offset)

const readPage = async <DB, TB extends keyof DB, R>(
  rows: SelectQueryBuilder<DB, TB, R>,
  { limit }: Slice<string>,
  total: number,
): Promise<ListPage<R>> => {
  const found = (await rows.execute()) as R[]
  return { rows: found.slice(0, limit), total, isCapped: false, hasNext: found.length > limit }
}

/** All rows of a list, in order, read in batches. */
export interface WholeList<R> {
  count: number
  rows: AsyncGenerator<R>
}

const EXPORT_BATCH = 2_000

/**
 * Returns all that `matching` selects, for exports. The keys are read at once, so that concurrent
 * writes cause no gap or duplicate; the rows follow in batches, between which other calls run.
 * @param key the unique column, such as `usuario.idUsuario`
 */
export const listWhole = async <DB, TB extends keyof DB, R, F extends string>(
  matching: SelectQueryBuilder<DB, TB, R>,
  { key, orders, order }: { key: string; orders: Orders<F>; order: F | `-${F}` },
): Promise<WholeList<R>> => {
  const column = sql.ref<number>(key)
  const keys = matching.clearSelect().select(column.as('key'))
  const found = (await ordered(keys, orders, order).execute()) as unknown as { key: number }[]
  const rowsOf = (batch: number[]) =>
    ordered(matching.where(sql<boolean>`${column} = any(${batch}::int[])`), orders, order).execute()
  async function* rows() {
    for (let start = 0; start < found.length; start += EXPORT_BATCH) {
      yield* (await rowsOf(found.slice(start, start + EXPORT_BATCH).map((row) => row.key))) as R[]
    }
  }
  return { count: found.length, rows: rows() }
}

const ordered = <DB, TB extends keyof DB, R, F extends string>(
  matching: SelectQueryBuilder<DB, TB, R>,
  orders: Orders<F>,
  order: F | `-${F}`,
): SelectQueryBuilder<DB, TB, R> => {
  const descending = order.startsWith('-')
  const field = (descending ? order.slice(1) : order) as F
  return orders[field].reduce((query: SelectQueryBuilder<DB, TB, R>, entry) => {
    const isNullable = typeof entry === 'object' && 'nullable' in entry
    const by = isNullable ? sql.ref(entry.column) : typeof entry === 'string' ? sql.ref(entry) : entry
    return query.orderBy(by, (direction) => {
      const way = descending ? direction.desc() : direction.asc()
      if (!isNullable) return way
      return descending ? way.nullsLast() : way.nullsFirst()
    })
  }, matching)
}

/**
 * Returns the condition that the folded column contains the text, ignoring case, accents and
 * apostrophes. A column named `…emailBusca` holds an e-mail: it is compared with its domain in Unicode too.
 */
export const contains = (column: string, text: string): Expression<SqlBool> => {
  const searched = sql.ref<string>(column)
  const isLike = (value: RawBuilder<string>, part: string) =>
    sql<boolean>`${value} like texto_busca(${`%${part.replace(/[\\%_]/g, '\\$&')}%`})`
  if (!EMAIL_COLUMN.test(column)) return isLike(searched, text)
  const textInUnicode = withUnicodeDomains(text)
  const inUnicode = sql<string>`texto_busca(dominios_em_unicode(${searched}))`
  const asWritten = textInUnicode === text ? [text] : [text, textInUnicode]
  return sql<boolean>`(${sql.join(
    asWritten.map((part) => isLike(searched, part)),
    sql` or `,
  )} or (${searched} like '%xn--%' and ${isLike(inUnicode, textInUnicode)}))`
}

const EMAIL_COLUMN = /(?:^|\.)email_?busca$/i

/** Returns the condition that each word is in one of the folded columns, in any order. */
export const containsWords = (columns: readonly [string, ...string[]], text: string): Expression<SqlBool> => {
  const words = text.split(/\s+/).filter(Boolean)
  const anyColumn = (word: string) =>
    sql.join(
      columns.map((column) => contains(column, word)),
      sql` or `,
    )
  return words.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`${sql.join(
        words.map((word) => sql`(${anyColumn(word)})`),
        sql` and `,
      )}`
}

const countWhole = async (db: Db, tabela: Tables['totalLinhas']['tabela']): Promise<number> => {
  const row = await db
    .selectFrom('totalLinhas')
    .select('total')
    .where('tabela', '=', tabela)
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

/** Counts the rows of a query that selects no columns yet. */
export const countRows = async <DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> => {
  const counted = query.select(({ fn }) => fn.countAll<number>().as('total'))
  const { total } = (await counted.executeTakeFirstOrThrow()) as { total: number }
  return total
}

/** Counts for lists without a counting trigger: a total above COUNTED_EXACTLY is only 'more'. */
export const countCapped = async <DB, TB extends keyof DB, R>(
  db: Db,
  matching: SelectQueryBuilder<DB, TB, R>,
): Promise<Pick<ListPage<R>, 'total' | 'isCapped'>> => {
  const total = await countMatches(db, matching.limit(COUNTED_EXACTLY + 1))
  return { total: Math.min(total, COUNTED_EXACTLY), isCapped: total > COUNTED_EXACTLY }
}

const countMatches = async <DB, TB extends keyof DB, R>(
  db: Db,
  matching: SelectQueryBuilder<DB, TB, R>,
): Promise<number> => {
  const found = matching.clearSelect().select(sql`1`.as('one'))
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from (${found}) found`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}
