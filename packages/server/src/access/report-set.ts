import type { Db } from '../db/open-database.ts'
import { Problem } from '../lib/problem.ts'

/** Returns the ids to add and to remove to get from one set to the other. */
export const diffIds = (current: number[], wanted: number[]) => {
  const [had, want] = [new Set(current), new Set(wanted)]
  return {
    added: wanted.filter((id) => !had.has(id)),
    removed: current.filter((id) => !want.has(id)),
  }
}

/** @throws Problem 404 when the workspace does not exist */
export const assertWorkspace = async (db: Db, idGrupoRelatorio: number): Promise<void> => {
  const row = await db
    .selectFrom('grupoRelatorio')
    .select('idGrupoRelatorio')
    .where('idGrupoRelatorio', '=', idGrupoRelatorio)
    .executeTakeFirst()
  if (!row) throw new Problem('nao_encontrado')
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
