import { effectiveIdentityOf, identityColumns } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { isVisibleTo, viewerOf } from '../visibility/visible-reports.ts'
import { hasComments } from './comment-readers.ts'

export type CommentedReport = Awaited<ReturnType<typeof getCommentedReport>>

/**
 * Returns the report with the rows that the caller sees in it now.
 * @throws Problem 403 `relatorio_sem_permissao`, or 404 to an ADMIN; 403 `comentarios_desligados`;
 * 403 `identidade_nao_confirmada`, as when the report is opened
 */
export const getCommentedReport = async (
  db: Db,
  { digest }: Pick<Services['secrets'], 'digest'>,
  user: Caller,
  id: number,
) => {
  const report = await db
    .selectFrom('relatorio')
    .select(['idRelatorio', 'nomeRelatorio', ...identityColumns])
    .select(hasComments.as('temComentarios'))
    .where('idRelatorio', '=', id)
    .where(isVisibleTo(viewerOf(user)))
    .executeTakeFirst()
  if (!report) throw new Problem(user.tipo === 'ADMIN' ? 'nao_encontrado' : 'relatorio_sem_permissao')
  if (!report.temComentarios) throw new Problem('comentarios_desligados')
  const identity = effectiveIdentityOf(report, user)
  const { nomeRelatorio } = report
  return { id, nomeRelatorio, rows: identity === undefined ? null : digest(rowsKey(identity)) }
}

/** Two people with the same key see the same rows. */
const rowsKey = ({ username, roles = [], customData }: Identity): string =>
  `linhas:${JSON.stringify([username, [...roles].sort(), customData ?? null])}`

type Identity = NonNullable<ReturnType<typeof effectiveIdentityOf>>

/**
 * Whether the caller sees the rows that the writer saw. A report that sends no identity shows the
 * same rows to all of its readers.
 */
export const seesSameRows = ({ rows }: Pick<CommentedReport, 'rows'>, linhas: string | null): boolean =>
  rows === null || rows === linhas
