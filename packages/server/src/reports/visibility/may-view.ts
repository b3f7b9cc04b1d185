import type { Db } from '../../platform/db/open-database.ts'
import { hasRow } from '../../platform/db/queries/outcomes.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { isVisibleTo, viewerOf } from './visible-reports.ts'

/**
 * Returns an `authorize` function that requires permission to view the report `id`. A USER gets 403
 * `relatorio_sem_permissao` also when there is no such report, so its existence is not revealed. An ADMIN
 * may view all reports, and gets 404.
 */
export const createViewCheck =
  (db: Db) =>
  async ({ id }: { id: number }, user: Caller): Promise<void> => {
    const visible = db
      .selectFrom('relatorio')
      .select('idRelatorio')
      .where(isVisibleTo(viewerOf(user)))
    if (await hasRow(visible.where('idRelatorio', '=', id))) return
    throw new Problem(user.tipo === 'ADMIN' ? 'nao_encontrado' : 'relatorio_sem_permissao')
  }
