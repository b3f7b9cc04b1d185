import type { Db } from '../../platform/db/open-database.ts'
import { hasRow } from '../../platform/db/outcomes.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { isVisibleTo, viewerOf } from './visible-reports.ts'

/**
 * Returns an `authorize` function that requires permission to view the report `id`.
 * @throws Problem 403 `relatorio_sem_permissao`, whether the report exists or not; 404 to an ADMIN
 */
export const assertMayView =
  (db: Db) =>
  async ({ id }: { id: number }, user: Caller): Promise<void> => {
    const visible = db
      .selectFrom('relatorio')
      .select('idRelatorio')
      .where(isVisibleTo(viewerOf(user)))
    if (await hasRow(visible.where('idRelatorio', '=', id))) return
    throw new Problem(user.tipo === 'ADMIN' ? 'nao_encontrado' : 'relatorio_sem_permissao')
  }
