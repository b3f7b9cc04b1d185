import { sql } from 'kysely'
import { isVisibleTo, type Viewer } from '../../access/visible-reports.ts'
import type { Db } from '../../db/open-database.ts'

interface Address {
  groupId: string
  reportId: string
  /** Tells apart registrations of the same external report; without it, the oldest one that the viewer may see. */
  idRelatorio?: number | null | undefined
}

/**
 * The registered reports behind external ids, with their connections, in the order asked; undefined where the viewer may not
 * see it, or it is not there.
 */
export const findViewableReports = async (db: Db, asked: (Viewer & Address)[]) => {
  const unnested = sql<Question>`unnest(
    ${asked.map(({ idUsuario }) => idUsuario)}::int[], ${asked.map(({ isAdmin }) => isAdmin)}::boolean[],
    ${asked.map(({ groupId }) => groupId.toLowerCase())}::text[],
    ${asked.map(({ reportId }) => reportId.toLowerCase())}::text[],
    ${asked.map(({ idRelatorio }) => idRelatorio ?? null)}::int[]
  ) with ordinality`
  const rows = await db
    .selectFrom(
      unnested.as<'pedido'>(
        sql`pedido(de_usuario, de_admin, id_externo_grupo, id_externo, id_registrado, ordem)`,
      ),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('relatorio')
          .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
          .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
          .select(['idRelatorio', 'nomeRelatorio', 'operadoraRelatorio', 'reportId', 'filtro', 'papeisRls'])
          .select([
            'nomeGrupo',
            'idGrupo',
            'powerbi.idPowerBi',
            'powerbi.nome as nomeConexao',
            'powerbi.versao',
          ])
          .select(['provedor', 'tenantId', 'applicationId', 'tipoCredencial', 'username', 'segredo'])
          .where(
            sql<boolean>`lower(report_id) = pedido.id_externo and lower(id_grupo) = pedido.id_externo_grupo`,
          )
          .where(sql<boolean>`(pedido.id_registrado is null or id_relatorio = pedido.id_registrado)`)
          .where(({ or, ref }) =>
            or([ref('pedido.deAdmin'), isVisibleTo({ idUsuario: ref('pedido.deUsuario'), isAdmin: false })]),
          )
          .orderBy('idRelatorio')
          .limit(1)
          .as('achado'),
      (join) => join.onTrue(),
    )
    .select('ordem')
    .selectAll('achado')
    .execute()
  const found = new Map(rows.map(({ ordem, ...report }) => [Number(ordem), report]))
  return asked.map((_, index) => found.get(index + 1))
}

interface Question {
  deUsuario: number
  deAdmin: boolean
  idExternoGrupo: string
  idExterno: string
  idRegistrado: number | null
  ordem: number
}

export interface IssuedToken {
  idUsuario: number
  idRelatorio: number
  tokenId: string
  expiraEm: Date
  comIdentidade: boolean
}

export const insertIssuedTokens = async (tx: Db, tokens: IssuedToken[], quando: Date): Promise<void> => {
  await tx
    .insertInto('tokenEmitido')
    .values(tokens.map((token) => ({ ...token, quando })))
    .execute()
}

interface View {
  idUsuario: number
  idRelatorio: number
  carregadoMs: number
  renderizadoMs: number
}

export const insertView = async (tx: Db, view: View, quando: Date): Promise<void> => {
  await tx
    .insertInto('visualizacao')
    .values({ ...view, quando })
    .execute()
}
