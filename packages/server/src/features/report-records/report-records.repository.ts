import {
  type ListQuery,
  type Report,
  type ReportDraft,
  type ReportImport,
  type ReportOrder,
  workspaceEntity,
} from '@bi-manager/contract'
import { sql } from 'kysely'
import { contains, type LargeTable, listPage, listWhole, type Orders } from '../../db/list-page.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { Db } from '../../db/open-database.ts'
import { withWorkspaceOrder, workspaceName, workspaceOrder } from '../../db/workspace-of-report.ts'
import { Problem } from '../../lib/problem.ts'

type Order = (typeof ReportOrder)[number]
type Filter = Pick<ListQuery<Order>, 'busca' | 'ordem'> & { idGrupoRelatorio?: number | undefined }

const orders: Orders<Order> = {
  nomeRelatorio: ['relatorio.nomeOrdem', 'relatorio.idRelatorio'],
  reportId: [sql`lower(report_id)`, 'relatorio.idRelatorio'],
  nomeGrupo: [workspaceOrder, 'relatorio.nomeOrdem', 'relatorio.idRelatorio'],
  operadoraRelatorio: [
    sql`sem_acento(operadora_relatorio) collate "C"`,
    'relatorio.nomeOrdem',
    'relatorio.idRelatorio',
  ],
}

const reports = (db: Db) =>
  db
    .selectFrom('relatorio')
    .select(['relatorio.idRelatorio', 'relatorio.idGrupoRelatorio', 'nomeRelatorio'])
    .select(workspaceName.as('nomeGrupo'))
    .select(['operadoraRelatorio', 'reportId', 'filtro', 'papeisRls', 'relatorio.versao'])
    .select((eb) =>
      eb
        .selectFrom('relatorioLogo')
        .select('marca')
        .whereRef('relatorioLogo.idRelatorio', '=', 'relatorio.idRelatorio')
        .as('logo'),
    )

const matching = (db: Db, { busca, ordem, idGrupoRelatorio }: Filter) =>
  reports(db)
    .$call(withWorkspaceOrder(ordem))
    .$if(!!busca, (query) => query.where(contains('relatorio.nomeOrdem', busca ?? '')))
    .$if(idGrupoRelatorio !== undefined, (query) =>
      query.where('relatorio.idGrupoRelatorio', '=', idGrupoRelatorio ?? 0),
    )

export const listReports = (db: Db, query: ListQuery<Order> & Filter) => {
  const isNarrowed = !!query.busca || query.idGrupoRelatorio !== undefined
  const large: LargeTable = { name: 'relatorio', key: 'relatorio.idRelatorio', isNarrowed }
  return listPage(db, matching(db, query), { query, orders, byDefault: 'nomeRelatorio', large })
}

export const exportReports = (db: Db, filter: Filter) =>
  listWhole(matching(db, filter), {
    key: 'relatorio.idRelatorio',
    orders,
    order: filter.ordem ?? 'nomeRelatorio',
  })

export const findReport = (db: Db, id: number): Promise<Report | undefined> =>
  reports(db).where('relatorio.idRelatorio', '=', id).executeTakeFirst()

export const insertReport = async (tx: Db, draft: ReportDraft): Promise<Report> => {
  const { idRelatorio } = await tx
    .insertInto('relatorio')
    .values(draft)
    .returning('idRelatorio')
    .executeTakeFirstOrThrow()
  return reports(tx).where('relatorio.idRelatorio', '=', idRelatorio).executeTakeFirstOrThrow()
}

/** Returns the new reports by name; undefined when the workspace does not exist. */
export const importReports = async (
  tx: Db,
  idGrupoRelatorio: number,
  { relatorios }: ReportImport,
): Promise<Report[] | undefined> => {
  // Locks the workspace against deletion, and makes a concurrent import of the same reports wait.
  if (!(await lockRow(tx, workspaceEntity, idGrupoRelatorio))) return undefined
  await assertNotThere(tx, idGrupoRelatorio, relatorios)
  const inserted = await tx
    .insertInto('relatorio')
    .values(relatorios.map((report) => ({ ...report, idGrupoRelatorio })))
    .returning('idRelatorio')
    .execute()
  const ids = inserted.map(({ idRelatorio }) => idRelatorio)
  return reports(tx)
    .where('relatorio.idRelatorio', 'in', ids)
    .orderBy('relatorio.nomeOrdem')
    .orderBy('relatorio.idRelatorio')
    .execute()
}

/** Refuses a report registered twice for the same operadora; once per operadora is allowed. */
const assertNotThere = async (
  tx: Db,
  idGrupoRelatorio: number,
  relatorios: ReportImport['relatorios'],
): Promise<void> => {
  const registered = await tx
    .selectFrom('relatorio')
    .select(['reportId', 'operadoraRelatorio'])
    .where('idGrupoRelatorio', '=', idGrupoRelatorio)
    .execute()
  const keyOf = (report: { reportId: string; operadoraRelatorio: string }) =>
    `${report.reportId.toLowerCase()} ${report.operadoraRelatorio}`
  const taken = new Set(registered.map(keyOf))
  const campos: Record<string, string> = {}
  relatorios.forEach((report, index) => {
    if (taken.has(keyOf(report))) campos[`relatorios.${index}.reportId`] = alreadyThere
    taken.add(keyOf(report))
  })
  if (Object.keys(campos).length > 0) throw new Problem('campos_invalidos', { campos })
}
const alreadyThere = 'Este relatório já está cadastrado neste workspace para esta operadora.'

/**
 * Omitted fields are unchanged; the version rises even without fields.
 * @returns undefined when no report has this id and, if given, this version
 */
export const updateReport = async (
  tx: Db,
  id: number,
  fields: Partial<ReportDraft>,
  ifMatch?: number | undefined,
): Promise<Report | undefined> => {
  const row = await tx
    .updateTable('relatorio')
    .set((eb) => ({ ...fields, versao: eb('versao', '+', 1) }))
    .where('idRelatorio', '=', id)
    .$if(ifMatch !== undefined, (query) => query.where('versao', '=', ifMatch ?? 0))
    .returning('idRelatorio')
    .executeTakeFirst()
  return row && findReport(tx, id)
}

export const deleteReport = async (tx: Db, id: number): Promise<boolean> => {
  const { numDeletedRows } = await tx.deleteFrom('relatorio').where('idRelatorio', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns how many users have the report directly, not through a profile. */
export const countPeopleWith = async (db: Db, id: number): Promise<number> => {
  const { total } = await db
    .selectFrom('relatorioUsuario')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('idRelatorio', '=', id)
    .executeTakeFirstOrThrow()
  return total
}

export const findLogo = (db: Db, idRelatorio: number): Promise<{ imagem: Uint8Array } | undefined> =>
  db.selectFrom('relatorioLogo').select('imagem').where('idRelatorio', '=', idRelatorio).executeTakeFirst()

interface Logo {
  imagem: Uint8Array
  marca: string
}

export const upsertLogo = async (tx: Db, idRelatorio: number, logo: Logo): Promise<void> => {
  await tx
    .insertInto('relatorioLogo')
    .values({ idRelatorio, ...logo })
    .onConflict((conflict) => conflict.column('idRelatorio').doUpdateSet(logo))
    .execute()
}

export const deleteLogo = async (tx: Db, idRelatorio: number): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('relatorioLogo')
    .where('idRelatorio', '=', idRelatorio)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
