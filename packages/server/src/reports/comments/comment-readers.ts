import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import { personSees } from '../visibility/visible-reports.ts'

/** In a query with `relatorio`: whether readers may comment on the report. */
export const hasComments = sql<boolean>`(relatorio.comentarios and (select comentarios from configuracao))`

/**
 * In a query with `relatorio` and `usuario`: whether the person may read the report's comments now.
 * A report that sends an identity opens for nobody whose e-mail is not verified.
 */
export const mayReadComments = sql<boolean>`(${isActiveAccount()} and ${hasComments}
  and ${personSees()}
  and not (usuario.email_por_provar
    and (cardinality(relatorio.papeis_rls) > 0 or relatorio.envia_identidade)))`

/** In a query with `comentario` and `usuario`: whether the comment mentions the person. */
export const isMentioned = sql<boolean>`(position('@{' || usuario.id_usuario || '}' in comentario.texto) > 0)`

/** In a query with `notificacao`: whether its person may see it now. */
export const isShownNotification = sql<boolean>`((notificacao.id_comentario is null or exists (
  select from comentario
    join relatorio on relatorio.id_relatorio = comentario.id_relatorio
    join usuario on usuario.id_usuario = notificacao.id_usuario
  where comentario.id_comentario = notificacao.id_comentario and ${mayReadComments}))
  and (notificacao.id_alerta is null or exists (
    select from alerta
      join relatorio on relatorio.id_relatorio = alerta.id_relatorio
      join usuario on usuario.id_usuario = notificacao.id_usuario
    where alerta.id_alerta = notificacao.id_alerta and ${personSees()})))`

/** Returns the number of open threads about a report; 0 where comments are off. */
export const countOpenThreads = async (db: Db, idRelatorio: number): Promise<number> => {
  const { abertas } = await db
    .selectFrom('comentario')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'comentario.idRelatorio')
    .select(sql<number>`count(*)::int`.as('abertas'))
    .where('comentario.idRelatorio', '=', idRelatorio)
    .where('idConversa', 'is', null)
    .where('resolvidoEm', 'is', null)
    .where(hasComments)
    .executeTakeFirstOrThrow()
  return abertas
}
