import { type AuditEntry, type auditApi, PAGE_SIZE, WHOLE_LIST } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../platform/db/open-database.ts'
import { countCapped, type ListPage } from '../../platform/db/queries/list-page.ts'
import type { createSharedWork } from '../../platform/lib/shared-work.ts'
import { findNames, type Names, namesOf, referencesOf } from './object-names.ts'

type AuditQuery = z.output<typeof auditApi.list.query>
/** `objeto` is an object (`relatorio:12`) or only its kind (`relatorio`); both days count. */
type AuditFilter = Omit<AuditQuery, 'pagina' | 'tamanho'>

type Row = Omit<AuditEntry, 'quando' | 'nomes'> & { quando: Date }
export type NamedRow = Row & { nome: Names[string] | undefined }

/**
 * Returns a page, newest first. No trigger counts this table, because it would make all audited
 * calls wait for each other.
 */
export const listAudit = async (db: Db, query: AuditQuery): Promise<ListPage<AuditEntry>> => {
  const { pagina, tamanho = PAGE_SIZE } = query
  const limit = pagina === undefined ? WHOLE_LIST : tamanho
  const matching = matchingKeys(db, query)
  const [found, counted] = await Promise.all([
    // Selects the page's keys first, so that only its rows are joined and named.
    rowsInOne(
      db,
      matching
        .orderBy('idAuditoria', 'desc')
        .limit(limit + 1)
        .offset(pagina === undefined ? 0 : (pagina - 1) * limit),
    ),
    countCapped(db, matching),
  ])
  const page = found.slice(0, limit).map((row) => ({ row, references: referencesOf(row) }))
  const names = await findNames(
    db,
    page.flatMap(({ references }) => references),
  )
  return {
    rows: page.map(({ row, references }) => ({
      ...row,
      quando: row.quando.toISOString(),
      nomes: namesOf(names, references),
    })),
    ...counted,
    hasNext: found.length > limit,
  }
}

const exportBatch = 1_000

/** The columns that filters compare, and the CSV text. */
type Line = Pick<Row, 'idUsuario' | 'acao' | 'objeto' | 'quando'> & { text: string }

interface SharedBatch {
  lines: Line[]
  text: string
  /** The highest id of the next batch; 0 after the last one. */
  next: number
}
export type ShareBatch = ReturnType<typeof createSharedWork<SharedBatch>>

interface AuditExportOptions {
  /** Lets concurrent exports compute equal batches once: the trail is append-only. */
  share: ShareBatch
  textOf: (row: NamedRow) => string
}

/**
 * Returns all matching lines, newest first, as batches of text that are computed while they are
 * sent.
 */
export const exportAudit = async (
  db: Db,
  filter: AuditFilter,
  { share, textOf }: AuditExportOptions,
): Promise<{ count: number; lines: AsyncGenerator<string> }> => {
  const matching = matchingKeys(db, filter)
  const { count, newest, oldest, period } = await extentOf(db, filter)
  const newestFirst = matching.orderBy('idAuditoria', 'desc')
  const textOfAll = async (keys: typeof matching) => (await namedRowsOf(db, keys)).map(textOf).join('')

  /** The matching rows up to this id, shared by exports with the same filter. */
  const matchesUpTo = (start: number) =>
    share(JSON.stringify([start, filter]), async () => {
      const rows = await namedRowsOf(db, newestFirst.where('idAuditoria', '<=', start).limit(exportBatch))
      const last = rows.at(-1)
      const next = last && rows.length === exportBatch ? last.idAuditoria - 1 : 0
      return { lines: [], text: rows.map(textOf).join(''), next }
    })
  /** All rows of a block of ids, shared by exports with any filter. */
  const blockUpTo = async (start: number) => {
    const next = start - exportBatch
    const block = await share(JSON.stringify([start]), async () => {
      const keys = matchingKeys(db, {}).where('idAuditoria', '<=', start).where('idAuditoria', '>', next)
      const lines = (await namedRowsOf(db, keys)).map((row) => lineOf(row, textOf(row)))
      return { lines, text: lines.map(({ text }) => text).join(''), next }
    })
    const lines = block.lines.filter((line) => isMatch(line, filter, period))
    const isWhole = lines.length === block.lines.length
    return isWhole ? block : { next, text: lines.map(({ text }) => text).join('') }
  }

  async function* read() {
    if (!newest) return
    // Each export appends a line, so the latest lines, at most one batch, cannot be shared.
    const shared = newest - (newest % exportBatch)
    const latest = newestFirst.where('idAuditoria', '>', shared).where('idAuditoria', '<=', newest)
    const text = await textOfAll(latest)
    if (text) yield text
    // When a filter excludes more than half of the rows, its own rows cost less than whole blocks.
    const batchUpTo = count * 2 > newest - oldest ? blockUpTo : matchesUpTo
    for (let start = shared; start >= oldest && start > 0; ) {
      const { text, next } = await batchUpTo(start)
      if (text) yield text
      start = next
    }
  }
  return { count, lines: read() }
}

const lineOf = ({ idUsuario, acao, objeto, quando }: Row, text: string): Line => ({
  idUsuario,
  acao,
  objeto,
  quando,
  text,
})

interface Period {
  from: Date | null
  until: Date | null
}

/**
 * Returns the number of matching lines, their lowest and highest id, and the filter's days as
 * instants.
 */
const extentOf = async (db: Db, filter: AuditFilter) => {
  const { de, ate } = filter
  const { rows } = await sql<{ count: number; newest: number | null; oldest: number | null } & Period>`
    select count(*)::int as count, max(id_auditoria) as newest, min(id_auditoria) as oldest,
      ${de === undefined ? null : startOf(de)}::timestamptz as "from",
      ${ate === undefined ? null : endOf(ate)}::timestamptz as until
    from (${matchingKeys(db, filter)}) found`.execute(db)
  const { count = 0, newest, oldest, from = null, until = null } = rows[0] ?? {}
  return { count, newest, oldest: oldest ?? 0, period: { from, until } }
}

/** The same condition as `matchingKeys`, for a row in memory. */
const isMatch = (row: Line, { idUsuario, acao, objeto }: AuditFilter, { from, until }: Period): boolean =>
  (idUsuario === undefined || row.idUsuario === idUsuario) &&
  (acao === undefined || row.acao === acao) &&
  (!objeto || row.objeto === objeto || !!row.objeto?.startsWith(`${objeto}:`)) &&
  (!from || row.quando >= from) &&
  (!until || row.quando < until)

const namedRowsOf = async (db: Db, keys: ReturnType<typeof matchingKeys>): Promise<NamedRow[]> => {
  const batch = await rowsInOne(db, keys)
  const names = await findNames(
    db,
    batch.flatMap(({ objeto }) => objeto ?? []),
  )
  return batch.map((row) => ({ ...row, nome: names[row.objeto ?? ''] }))
}

/** One JSON text: on the embedded database it takes less than half the time of separate rows. */
const rowsInOne = async (db: Db, keys: ReturnType<typeof matchingKeys>): Promise<Row[]> => {
  const { rows } = await sql<{ batch: string | null }>`
    select json_agg(json_build_object('idAuditoria', a.id_auditoria, 'quando', a.quando, 'idUsuario', a.id_usuario,
      'nomeUsuario', u.nome_usuario, 'acao', a.acao, 'objeto', a.objeto, 'detalhes', a.detalhes,
      'endereco', a.endereco, 'idRequisicao', a.id_requisicao) order by a.id_auditoria desc)::text as batch
    from auditoria a left join usuario u using (id_usuario)
    where a.id_auditoria in (${keys})`.execute(db)
  const batch: (Omit<Row, 'quando'> & { quando: string })[] = JSON.parse(rows[0]?.batch ?? '[]')
  return batch.map((row) => ({ ...row, quando: new Date(row.quando) }))
}

const matchingKeys = (db: Db, { idUsuario, acao, objeto, de, ate }: AuditFilter) =>
  db
    .selectFrom('auditoria')
    .select('idAuditoria')
    .$if(idUsuario !== undefined, (query) => query.where('idUsuario', '=', idUsuario ?? 0))
    .$if(acao !== undefined, (query) => query.where('acao', '=', acao ?? ''))
    .$if(!!objeto, (query) =>
      query.where((eb) =>
        eb.or([eb('objeto', '=', objeto ?? ''), sql<boolean>`starts_with(objeto, ${`${objeto}:`})`]),
      ),
    )
    .$if(de !== undefined, (query) => query.where('quando', '>=', startOf(de ?? '')))
    .$if(ate !== undefined, (query) => query.where('quando', '<', endOf(ate ?? '')))

const startOf = (day: string) => sql<Date>`(${day}::date::timestamp at time zone 'America/Sao_Paulo')`
const endOf = (day: string) => sql<Date>`(${startOf(day)} + interval '1 day')`
