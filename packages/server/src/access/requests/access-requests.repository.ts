import {
  type AccessRequest,
  type AccessRequestDraft,
  type AccessRequestProfile,
  type AccessRequestState,
  HIDDEN_MATCHES,
  type HiddenReport,
  type ListQuery,
  type OwnAccessRequest,
} from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { containsWords, countRows, listPage } from '../../platform/db/queries/list-page.ts'
import { isVisibleTo, personSees, type Viewer } from '../../reports/index.ts'

type Order = 'nomeUsuario' | 'criadoEm'
type Filter = ListQuery<Order> & { situacao?: AccessRequestState | undefined }

const requests = (db: Db) =>
  db
    .selectFrom('pedidoAcesso')
    .innerJoin('usuario', 'usuario.idUsuario', 'pedidoAcesso.idUsuario')
    .leftJoin('relatorio', 'relatorio.idRelatorio', 'pedidoAcesso.idRelatorio')
    .leftJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .leftJoin('usuario as autor', 'autor.idUsuario', 'pedidoAcesso.respondidoPor')
    .leftJoin('perfil', 'perfil.idPerfil', 'pedidoAcesso.idPerfil')
    .select([
      'idPedido',
      'motivo',
      'pedidoAcesso.situacao',
      'pedidoAcesso.criadoEm',
      'respondidoEm',
      'mensagem',
    ])
    .select(['usuario.idUsuario', 'usuario.nomeUsuario', 'usuario.emailUsuario'])
    .select(['relatorio.idRelatorio', 'nomeRelatorio', 'nomeGrupo'])
    .select(['autor.nomeUsuario as respondidoPor', 'nomePerfil'])
    .select(sql<boolean>`(relatorio.id_relatorio is not null and ${personSees()})`.as('jaTemAcesso'))

const timesOf = (row: { criadoEm: Date; respondidoEm: Date | null }) => ({
  criadoEm: row.criadoEm.toISOString(),
  respondidoEm: row.respondidoEm?.toISOString() ?? null,
})

export const listRequests = async (db: Db, query: Filter) => {
  const { busca, situacao } = query
  const matching = requests(db)
    .$if(situacao !== undefined, (some) => some.where('pedidoAcesso.situacao', '=', situacao ?? 'ABERTO'))
    .$if(!!busca, (some) =>
      some.where(containsWords(['usuario.nomeBusca', 'usuario.emailBusca'], busca ?? '')),
    )
  const orders = {
    nomeUsuario: ['usuario.nomeNatural', 'idPedido'],
    criadoEm: ['pedidoAcesso.criadoEm', 'idPedido'],
  }
  const page = await listPage(db, matching, { query, orders, byDefault: '-criadoEm' })
  return { ...page, rows: page.rows.map((row): AccessRequest => ({ ...row, ...timesOf(row) })) }
}

export const getRequest = async (db: Db, id: number): Promise<AccessRequest> => {
  const row = await requests(db).where('idPedido', '=', id).executeTakeFirstOrThrow()
  return { ...row, ...timesOf(row) }
}

/** Returns the request, and locks it until the transaction ends. */
export const lockRequest = (tx: Db, id: number) =>
  tx
    .selectFrom('pedidoAcesso')
    .select(['idPedido', 'idUsuario', 'idRelatorio', 'situacao', 'criadoEm'])
    .where('idPedido', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Locks the other open requests of the person for the same report, under another address. */
export const lockRepeated = async (
  tx: Db,
  { idUsuario, idRelatorio, idPedido }: { idUsuario: number; idRelatorio: number; idPedido: number },
): Promise<number[]> => {
  const rows = await tx
    .selectFrom('pedidoAcesso')
    .select('idPedido')
    .where('idUsuario', '=', idUsuario)
    .where('idRelatorio', '=', idRelatorio)
    .where('situacao', '=', 'ABERTO')
    .where('idPedido', '<>', idPedido)
    .orderBy('idPedido')
    .forUpdate()
    .execute()
  return rows.map((row) => row.idPedido)
}

interface Answer {
  situacao: AccessRequestState
  respondidoEm: Date
  respondidoPor: number
  idPerfil: number | null
  mensagem: string | null
}

export const updateRequests = async (tx: Db, ids: number[], answer: Answer): Promise<void> => {
  await tx.updateTable('pedidoAcesso').set(answer).where('idPedido', 'in', ids).execute()
}

export const countOpen = (db: Db): Promise<number> =>
  countRows(db.selectFrom('pedidoAcesso').where('situacao', '=', 'ABERTO'))

export const countSince = (db: Db, idUsuario: number, since: Date): Promise<number> =>
  countRows(db.selectFrom('pedidoAcesso').where('idUsuario', '=', idUsuario).where('criadoEm', '>', since))

type Address = Pick<AccessRequestDraft, 'groupId' | 'reportId' | 'idRelatorio'>

/** Returns the report at an address, and whether the viewer may see it. */
export const findAsked = (db: Db, viewer: Viewer, { groupId, reportId, idRelatorio }: Address) =>
  db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .select(['idRelatorio'])
    .select(sql<boolean>`${isVisibleTo(viewer)}`.as('isVisible'))
    .where(sql<boolean>`lower(report_id) = ${reportId.toLowerCase()}`)
    .where(sql<boolean>`lower(id_grupo) = ${groupId.toLowerCase()}`)
    .$if(idRelatorio != null, (reports) => reports.where('idRelatorio', '=', idRelatorio ?? 0))
    // The one that an opening would show comes first.
    .orderBy('isVisible', 'desc')
    .orderBy('idRelatorio')
    .limit(1)
    .executeTakeFirst()

const ofAddress = ({ groupId, reportId, idRelatorio }: Address) => ({
  grupoExterno: groupId.toLowerCase(),
  relatorioExterno: reportId.toLowerCase(),
  idRegistrado: idRelatorio ?? null,
})

/** Returns the id of the person's open request for this address. */
export const findOpen = async (db: Db, idUsuario: number, address: Address): Promise<number | undefined> => {
  const { grupoExterno, relatorioExterno, idRegistrado } = ofAddress(address)
  const row = await db
    .selectFrom('pedidoAcesso')
    .select('idPedido')
    .where('idUsuario', '=', idUsuario)
    .where('situacao', '=', 'ABERTO')
    .where('grupoExterno', '=', grupoExterno)
    .where('relatorioExterno', '=', relatorioExterno)
    .where('idRegistrado', 'is not distinct from', idRegistrado)
    .executeTakeFirst()
  return row?.idPedido
}

interface NewRequest extends AccessRequestDraft {
  idUsuario: number
  /** The report at the address. */
  idFound: number | null
  criadoEm: Date
}

export const insertRequest = async (tx: Db, draft: NewRequest): Promise<number> => {
  const { idUsuario, idFound, motivo, criadoEm } = draft
  const { idPedido } = await tx
    .insertInto('pedidoAcesso')
    .values({ idUsuario, ...ofAddress(draft), idRelatorio: idFound, motivo, criadoEm })
    .returning('idPedido')
    .executeTakeFirstOrThrow()
  return idPedido
}

/** Own requests that a list shows. */
const ownShown = 100

/** Returns the viewer's own requests, or one of them; names only of reports that they may know. */
export const listOwn = async (db: Db, viewer: Viewer, idPedido?: number): Promise<OwnAccessRequest[]> => {
  const isKnown = sql<boolean>`(${isVisibleTo(viewer)} or (select busca_sem_acesso from configuracao))`
  const rows = await db
    .selectFrom('pedidoAcesso')
    .leftJoin('relatorio', 'relatorio.idRelatorio', 'pedidoAcesso.idRelatorio')
    .leftJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .select(['idPedido', 'motivo', 'situacao', 'pedidoAcesso.criadoEm', 'respondidoEm', 'mensagem'])
    .select(['grupoExterno as groupId', 'relatorioExterno as reportId', 'idRegistrado as idRelatorio'])
    .select(sql<string | null>`case when ${isKnown} then nome_relatorio end`.as('nomeRelatorio'))
    .select(sql<string | null>`case when ${isKnown} then nome_grupo end`.as('nomeGrupo'))
    .where('idUsuario', '=', viewer.idUsuario)
    .$if(idPedido !== undefined, (some) => some.where('idPedido', '=', idPedido ?? 0))
    .orderBy('pedidoAcesso.criadoEm', 'desc')
    .orderBy('idPedido', 'desc')
    .limit(ownShown)
    .execute()
  return rows.map((row) => ({ ...row, ...timesOf(row) }))
}

/** Returns reports that the viewer cannot open, if the ADMINs let everyone find their names. */
export const searchHidden = (db: Db, viewer: Viewer, text: string): Promise<HiddenReport[]> =>
  db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .select(['idRelatorio', 'nomeRelatorio', 'nomeGrupo', 'idGrupo as groupId', 'reportId'])
    .where(sql<boolean>`(select busca_sem_acesso from configuracao)`)
    .where(sql<boolean>`not ${isVisibleTo(viewer)}`)
    .where(containsWords(['relatorio.nomeBusca', 'grupoRelatorio.nomeBusca'], text))
    .orderBy('relatorio.nomeNatural')
    .orderBy('idRelatorio')
    .limit(HIDDEN_MATCHES)
    .execute()

/** Returns the profiles that have the report: the one with the fewest other reports first. */
export const listProfilesOf = (db: Db, idRelatorio: number): Promise<AccessRequestProfile[]> =>
  db
    .selectFrom('perfilRelatorio')
    .innerJoin('perfil', 'perfil.idPerfil', 'perfilRelatorio.idPerfil')
    .select(['perfil.idPerfil', 'nomePerfil'])
    .select(
      sql<number>`(select count(*)::int from perfil_relatorio r where r.id_perfil = perfil.id_perfil)`.as(
        'quantidadeRelatorios',
      ),
    )
    .where('idRelatorio', '=', idRelatorio)
    .orderBy('quantidadeRelatorios')
    .orderBy('nomeNatural')
    .orderBy('perfil.idPerfil')
    .execute()
