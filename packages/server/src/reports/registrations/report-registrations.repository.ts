import {
  ALL_OPERADORAS,
  type ListQuery,
  MAX_OPERADORAS,
  type Report,
  type ReportImport,
  type ReportOrder,
  workspaceEntity,
} from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import {
  containsWords,
  countRows,
  type LargeTable,
  listPage,
  listWhole,
  type Orders,
} from '../../platform/db/queries/list-page.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'
import {
  withWorkspaceOrder,
  workspaceName,
  workspaceOrder,
} from '../../platform/db/queries/workspace-of-report.ts'
import { lockRow } from '../../platform/db/transactions/lock-row.ts'
import { Problem } from '../../platform/lib/problem.ts'

type Order = (typeof ReportOrder)[number]
type Filter = Pick<ListQuery<Order>, 'busca' | 'ordem'> & { idGrupoRelatorio?: number | undefined }

const orders: Orders<Order> = {
  nomeRelatorio: ['relatorio.nomeNatural', 'relatorio.idRelatorio'],
  reportId: [sql`lower(report_id)`, 'relatorio.idRelatorio'],
  nomeGrupo: [workspaceOrder, 'relatorio.nomeNatural', 'relatorio.idRelatorio'],
  operadoraRelatorio: [
    sql`sem_acento(operadora_relatorio) collate "C"`,
    'relatorio.nomeNatural',
    'relatorio.idRelatorio',
  ],
}

/** The previous version may write a report without one during an upgrade. */
const operadora = sql<string>`coalesce(nullif(operadora_relatorio, ''), ${sql.lit(ALL_OPERADORAS)})`

const reports = (db: Db) =>
  db
    .selectFrom('relatorio')
    .select(['relatorio.idRelatorio', 'relatorio.idGrupoRelatorio', 'nomeRelatorio'])
    .select(workspaceName.as('nomeGrupo'))
    .select(operadora.as('operadoraRelatorio'))
    .select(['reportId', 'filtro', 'relatorio.versao'])
    .select(['papeisRls', 'enviaIdentidade', 'usuarioIdentidade', 'datasetsAdicionais'])
    .select(['tipoRelatorio', 'parametros', 'painelParametros', 'filtrosPainel', 'sensivel', 'comentarios'])
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
    .$if(!!busca, (query) => query.where(containsWords(['relatorio.nomeBusca'], busca ?? '')))
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

/** Returns the operadoras in use, the most frequent first. */
export const listOperadoras = async (db: Db): Promise<string[]> => {
  const rows = await db
    .selectFrom('relatorio')
    .select('operadoraRelatorio')
    .where('operadoraRelatorio', '<>', '')
    .groupBy('operadoraRelatorio')
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy('operadoraRelatorio')
    .limit(MAX_OPERADORAS)
    .execute()
  return rows.map(({ operadoraRelatorio }) => operadoraRelatorio)
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
    .orderBy('relatorio.nomeNatural')
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
    `${report.reportId.toLowerCase()} ${report.operadoraRelatorio || ALL_OPERADORAS}`
  const taken = new Set(registered.map(keyOf))
  const campos: Record<string, string> = {}
  relatorios.forEach((report, index) => {
    if (taken.has(keyOf(report))) campos[`relatorios.${index}.reportId`] = alreadyThere
    taken.add(keyOf(report))
  })
  if (Object.keys(campos).length > 0) throw new Problem('campos_invalidos', { campos })
}
const alreadyThere = 'Este relatório já está cadastrado neste workspace para esta operadora.'

/** Returns how many users have the report directly, not through a profile. */
export const countPeopleWith = (db: Db, id: number): Promise<number> =>
  countRows(db.selectFrom('relatorioUsuario').where('idRelatorio', '=', id))

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

export const deleteLogo = (tx: Db, idRelatorio: number): Promise<boolean> =>
  hasChanged(tx.deleteFrom('relatorioLogo').where('idRelatorio', '=', idRelatorio))
