import { type AccessEntry, PAGE_SIZE } from '@bi-manager/contract'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { countCapped, type ListPage, type WholeList } from '../../platform/db/queries/list-page.ts'
import type { Tables } from '../../platform/db/types.ts'
import { purposeInWords } from '../health-data/purpose.ts'

/**
 * Returns a page, newest first. Counts by itself, because `listPage` counts all rows or needs
 * triggers, and this table grows with every read.
 */
export const listAccesses = async (
  db: Db,
  secrets: Secrets,
  beneficiario: number,
  { pagina = 1, tamanho: limit = PAGE_SIZE }: { pagina?: number | undefined; tamanho?: number | undefined },
): Promise<ListPage<AccessEntry>> => {
  const rows = await accesses(db, beneficiario)
    .limit(limit + 1)
    .offset((pagina - 1) * limit)
    .execute()
  return {
    rows: rows.slice(0, limit).map((row) => entryOf(secrets, row)),
    ...(await countCapped(db, accesses(db, beneficiario).clearOrderBy())),
    hasNext: rows.length > limit,
  }
}

const exportBatch = 1_000

/** Returns all current rows, newest first, read in batches while they are sent. */
export const exportAccesses = async (
  db: Db,
  secrets: Secrets,
  beneficiario: number,
): Promise<WholeList<AccessEntry>> => {
  const { rows } = await sql<{ count: number; newest: number | null }>`
    select count(*)::int as count, max(id_acesso) as newest from acesso_saude
    where beneficiario = ${beneficiario}`.execute(db)
  const { count = 0, newest = null } = rows[0] ?? {}
  async function* read() {
    for (let next = newest; next !== null; ) {
      const batch = await accesses(db, beneficiario)
        .where('idAcesso', '<=', next)
        .limit(exportBatch)
        .execute()
      yield* batch.map((row) => entryOf(secrets, row))
      const last = batch.at(-1)
      next = last && batch.length === exportBatch ? last.idAcesso - 1 : null
    }
  }
  return { count, rows: read() }
}

const accesses = (db: Db, beneficiario: number) =>
  db
    .selectFrom('acessoSaude')
    .selectAll()
    .where('beneficiario', '=', beneficiario)
    .orderBy('idAcesso', 'desc')

const entryOf = (secrets: Secrets, row: Selectable<Tables['acessoSaude']>): AccessEntry => ({
  idAcesso: row.idAcesso,
  quando: row.quando.toISOString(),
  idUsuario: row.idUsuario,
  nomeUsuario: row.nomeUsuario,
  acao: row.acao,
  objeto: row.objeto,
  idObjeto: row.idObjeto,
  finalidade: purposeInWords(row, secrets),
})
