import {
  type AuditAction,
  type AuditEntry,
  COUNTED_EXACTLY,
  PAGE_SIZE,
  WHOLE_LIST,
} from '@bi-manager/contract'
import { sql } from 'kysely'
import type { ListPage, WholeList } from '../../db/list-page.ts'
import type { Db } from '../../db/open-database.ts'
import { findNames, type Names, namesOf, referencesOf } from './object-names.ts'

export interface AuditFilter {
  idUsuario?: number | undefined
  acao?: AuditAction | undefined
  /** Exact (`relatorio:12`), or the kind alone (`relatorio`). */
  objeto?: string | undefined
  /** Days of America/Sao_Paulo, both included. */
  de?: string | undefined
  ate?: string | undefined
}

type Row = Omit<AuditEntry, 'quando' | 'nomes'> & { quando: Date }
type NamedRow = Row & { nome: Names[string] | undefined }

/**
 * Newest first. No triggers count this table (they would make every recorded call wait for every other): beyond
 * COUNTED_EXACTLY the list is said to be longer.
 */
export const listAudit = async (
  db: Db,
  query: AuditFilter & { pagina?: number | undefined; tamanho?: number | undefined },
): Promise<ListPage<AuditEntry>> => {
  const { pagina, tamanho = PAGE_SIZE } = query
  const limit = pagina === undefined ? WHOLE_LIST : tamanho
  const matching = matchingKeys(db, query)
  const [found, counted] = await Promise.all([
    // The page's keys first: names are looked up for its rows alone.
    rowsOf(
      db,
      matching
        .orderBy('idAuditoria', 'desc')
        .limit(limit + 1)
        .offset(pagina === undefined ? 0 : (pagina - 1) * limit),
    ),
    sql<{ total: number }>`select count(*)::int as total
      from (${matching.limit(COUNTED_EXACTLY + 1)}) found`.execute(db),
  ])
  const total = counted.rows[0]?.total ?? 0
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
    total: Math.min(total, COUNTED_EXACTLY),
    isCapped: total > COUNTED_EXACTLY,
    hasNext: found.length > limit,
  }
}

const exportBatch = 2_000

/** All that matches now, newest first, read in batches as it is sent. */
export const exportAudit = async (db: Db, filter: AuditFilter): Promise<WholeList<NamedRow>> => {
  const matching = matchingKeys(db, filter)
  const { rows } = await sql<{ count: number; newest: number | null }>`
    select count(*)::int as count, max(id_auditoria) as newest from (${matching}) found`.execute(db)
  const { count = 0, newest = null } = rows[0] ?? {}
  async function* read() {
    for (let next = newest; next !== null; ) {
      const batch = await rowsOf(
        db,
        matching.where('idAuditoria', '<=', next).orderBy('idAuditoria', 'desc').limit(exportBatch),
      )
      const names = await findNames(
        db,
        batch.flatMap(({ objeto }) => objeto ?? []),
      )
      yield* batch.map((row) => ({ ...row, nome: names[row.objeto ?? ''] }))
      const last = batch.at(-1)
      next = last && batch.length === exportBatch ? last.idAuditoria - 1 : null
    }
  }
  return { count, rows: read() }
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
    .$if(ate !== undefined, (query) =>
      query.where('quando', '<', sql<Date>`${startOf(ate ?? '')} + interval '1 day'`),
    )

const startOf = (day: string) => sql<Date>`(${day}::date::timestamp at time zone 'America/Sao_Paulo')`

const rowsOf = (db: Db, keys: ReturnType<typeof matchingKeys>): Promise<Row[]> =>
  db
    .selectFrom('auditoria as a')
    .leftJoin('usuario as u', 'u.idUsuario', 'a.idUsuario')
    .select(['a.idAuditoria', 'a.quando', 'a.idUsuario', 'u.nomeUsuario', 'a.acao', 'a.objeto'])
    .select(['a.detalhes', 'a.endereco', 'a.idRequisicao'])
    .where('a.idAuditoria', 'in', keys)
    .orderBy('a.idAuditoria', 'desc')
    .execute()
