import type { Db } from '../db/open-database.ts'
import { hasRow } from '../db/outcomes.ts'
import { Problem } from '../lib/problem.ts'
import type { Caller } from './caller.ts'
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
