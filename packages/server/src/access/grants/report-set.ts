import type { profileEntity, ReportChoice, userEntity } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { lastDayOf } from '../../platform/db/queries/expiry.ts'
import { hasRow } from '../../platform/db/queries/outcomes.ts'
import { workspaceName } from '../../platform/db/queries/workspace-of-report.ts'
import { Problem } from '../../platform/lib/problem.ts'

/** The table and key of what has a set of reports: users, by direct grants, or profiles. */
type OwnerKind = Pick<typeof userEntity | typeof profileEntity, 'table' | 'id'>

const tables = { usuario: sql.table('relatorioUsuario'), perfil: sql.table('perfilRelatorio') }

/** Returns the ids of the reports in a set, or in its part of one workspace. */
export const reportIdsOf = async (
  db: Db,
  { table, id: idColumn }: OwnerKind,
  ownerId: number,
  idGrupoRelatorio?: number | undefined,
): Promise<number[]> => {
  const workspace = idGrupoRelatorio ?? null
  const { rows } = await sql<{ idRelatorio: number }>`
    select id_relatorio from ${tables[table]} join relatorio using (id_relatorio)
    where ${sql.ref(idColumn)} = ${ownerId} and (${workspace}::int is null or id_grupo_relatorio = ${workspace})
    order by id_relatorio`.execute(db)
  return rows.map(({ idRelatorio }) => idRelatorio)
}

/** Adds and removes the reports by which two sets differ, and returns their ids. */
export const changeReports = async (
  tx: Db,
  { table, id: idColumn }: OwnerKind,
  ownerId: number,
  { current, wanted }: { current: number[]; wanted: number[] },
) => {
  const [had, want] = [new Set(current), new Set(wanted)]
  const added = wanted.filter((report) => !had.has(report))
  const removed = current.filter((report) => !want.has(report))
  if (removed.length > 0) {
    await sql`delete from ${tables[table]}
      where ${sql.ref(idColumn)} = ${ownerId} and id_relatorio = any(${removed}::int[])`.execute(tx)
  }
  if (added.length > 0) {
    await sql`insert into ${tables[table]} (${sql.ref(idColumn)}, id_relatorio)
      select ${ownerId}::int, unnest(${added}::int[]) on conflict do nothing`.execute(tx)
  }
  return { added, removed }
}

/** Selects reports for a list of checkboxes. */
export const selectChoices = (db: Db) =>
  db
    .selectFrom('relatorio')
    .select(['idRelatorio', 'nomeRelatorio', 'relatorio.idGrupoRelatorio', workspaceName.as('nomeGrupo')])

/** Returns the reports of a workspace, by name; those of the set are checked. */
export const listChoices = (
  db: Db,
  { table, id: idColumn }: OwnerKind,
  ownerId: number,
  idGrupoRelatorio: number,
): Promise<ReportChoice[]> =>
  selectChoices(db)
    .select(
      sql<boolean>`exists (select from ${tables[table]} p
        where p.id_relatorio = relatorio.id_relatorio and ${sql.ref(`p.${idColumn}`)} = ${ownerId})`.as(
        'isChecked',
      ),
    )
    .select(
      (table === 'usuario'
        ? sql<string | null>`(select ${lastDayOf('p.venceEm')} from relatorio_usuario p
            where p.id_relatorio = relatorio.id_relatorio and p.id_usuario = ${ownerId})`
        : sql<null>`null`
      ).as('validoAte'),
    )
    .where('relatorio.idGrupoRelatorio', '=', idGrupoRelatorio)
    .orderBy('relatorio.nomeNatural')
    .orderBy('idRelatorio')
    .execute()

/** @throws Problem 404 when the workspace does not exist */
export const assertWorkspace = async (db: Db, idGrupoRelatorio: number): Promise<void> => {
  const workspace = db
    .selectFrom('grupoRelatorio')
    .select('idGrupoRelatorio')
    .where('idGrupoRelatorio', '=', idGrupoRelatorio)
  if (!(await hasRow(workspace))) throw new Problem('nao_encontrado')
}

/**
 * @param idGrupoRelatorio the workspace, when the set is that of one workspace
 * @throws Problem 422 at `idRelatorios` when a report does not exist or is not in the workspace;
 * 404 when the workspace does not exist
 */
export const assertReports = async (
  tx: Db,
  ids: number[],
  idGrupoRelatorio: number | undefined,
): Promise<void> => {
  if (idGrupoRelatorio !== undefined) await assertWorkspace(tx, idGrupoRelatorio)
  if (ids.length === 0) return
  const found = await tx
    .selectFrom('relatorio')
    .select('idRelatorio')
    .where((eb) => eb('idRelatorio', '=', eb.fn.any(eb.val(ids))))
    .$if(idGrupoRelatorio !== undefined, (reports) =>
      reports.where('idGrupoRelatorio', '=', idGrupoRelatorio ?? 0),
    )
    .execute()
  if (found.length === ids.length) return
  const idRelatorios =
    idGrupoRelatorio === undefined
      ? 'Um dos relatórios não existe mais.'
      : 'Um dos relatórios não é deste workspace.'
  throw new Problem('campos_invalidos', { campos: { idRelatorios } })
}
