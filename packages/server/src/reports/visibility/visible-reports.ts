import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { isCurrent } from '../../platform/db/queries/expiry.ts'

/** The user whose grants filter the query. */
export interface Viewer {
  idUsuario: number
  isAdmin: boolean
}

export const viewerOf = ({ idUsuario, tipo }: { idUsuario: number; tipo: 'ADMIN' | 'USER' }): Viewer => ({
  idUsuario,
  isAdmin: tipo === 'ADMIN',
})

/** SQL for the ids of the reports granted to a user, directly or through a profile, now. */
const grantedReports = (idUsuario: number | Expression<number>): RawBuilder<number> => sql<number>`
  select id_relatorio from relatorio_usuario
  where id_usuario = ${idUsuario} and ${isCurrent('relatorioUsuario.venceEm')}
  union
  select pr.id_relatorio from perfil_usuario pu join perfil_relatorio pr using (id_perfil)
  where pu.id_usuario = ${idUsuario} and ${isCurrent('pu.venceEm')}`

/**
 * Returns the condition that the viewer may see the row's report: an ADMIN all, others those
 * granted. Menu and embed call use it; `explainAccess` lists the reasons apart, and agreement.test.ts
 * compares them.
 * @param column the report's id in the query, such as `relatorio.idRelatorio`
 */
export const isVisibleTo = (
  viewer: Pick<Viewer, 'isAdmin'> & { idUsuario: number | Expression<number> },
  column = 'relatorio.idRelatorio',
): Expression<SqlBool> =>
  viewer.isAdmin
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(column)} in (${grantedReports(viewer.idUsuario)})`

/**
 * Returns the condition that the person of the row may see the row's report.
 * @param person the name of `usuario` in the query
 */
export const personSees = (person = 'usuario', column = 'relatorio.idRelatorio'): RawBuilder<boolean> => {
  const idUsuario = sql.ref<number>(`${person}.idUsuario`)
  // A report that is missing after a left join is null.
  const isGranted = sql`coalesce(${isVisibleTo({ idUsuario, isAdmin: false }, column)}, false)`
  return sql<boolean>`(${sql.ref(`${person}.tipoUsuario`)} = 'ADMIN' or ${isGranted})`
}
