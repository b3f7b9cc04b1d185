import type { Db } from '../db/open-database.ts'
import { Problem } from '../problem.ts'

/** What must be added and removed to come from one set of ids to another. */
export const differenceOf = (current: number[], wanted: number[]) => {
  const [had, want] = [new Set(current), new Set(wanted)]
  return {
    added: wanted.filter((id) => !had.has(id)),
    removed: current.filter((id) => !want.has(id)),
  }
}

/** @throws Problem 422 at `idRelatorios` when one of the reports is not in the workspace */
export const assertInGroup = async (
  tx: Db,
  ids: number[],
  idGrupoRelatorio: number | undefined,
): Promise<void> => {
  if (idGrupoRelatorio === undefined || ids.length === 0) return
  const outside = await tx
    .selectFrom('relatorio')
    .select('idRelatorio')
    .where('idGrupoRelatorio', '=', idGrupoRelatorio)
    .where((eb) => eb('idRelatorio', '=', eb.fn.any(eb.val(ids))))
    .execute()
  if (outside.length === ids.length) return
  throw new Problem('campos_invalidos', {
    campos: { idRelatorios: 'Um dos relatórios não é deste workspace.' },
  })
}
