import {
  COMMENTS_IN_TEN_MINUTES,
  type Comment,
  type CommentedState,
  type CommentPlace,
  type CommentStatus,
  type CommentThread,
  MAX_SUGGESTIONS,
  type MentionedPerson,
  mentionsIn,
} from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { containsWords, type ListPage, listPage } from '../../platform/db/queries/list-page.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { mayReadComments } from './comment-readers.ts'
import { type CommentedReport, seesSameRows } from './commented-report.ts'

/** The person who reads, and the report as they see it. */
export interface Reader {
  idUsuario: number
  report: CommentedReport
}

const comments = (db: Db, { id }: CommentedReport) =>
  db
    .selectFrom('comentario')
    .leftJoin('usuario as autor', 'autor.idUsuario', 'comentario.idUsuario')
    .leftJoin('usuario as quem', 'quem.idUsuario', 'comentario.resolvidoPor')
    .select([
      'idComentario',
      'idConversa',
      'comentario.idUsuario',
      'texto',
      'comentario.criadoEm',
      'editadoEm',
    ])
    .select([
      'excluidoEm',
      'resolvidoEm',
      'autor.nomeUsuario as nomeAutor',
      'quem.nomeUsuario as resolvidoPor',
    ])
    .select(['pagina', 'tituloPagina', 'filtros', 'marcador', 'temSelecoes', 'linhas'])
    .select(
      sql<number>`(select count(*)::int from comentario r where r.id_conversa = comentario.id_comentario)`.as(
        'respostas',
      ),
    )
    .where('comentario.idRelatorio', '=', id)

export type CommentRow = Awaited<ReturnType<ReturnType<typeof comments>['execute']>>[number]

/** Returns the names of the people whom the texts mention. */
const namesOf = async (db: Db, texts: string[]): Promise<Map<number, string>> => {
  const ids = [...new Set(texts.flatMap(mentionsIn))]
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('usuario')
    .select(['idUsuario', 'nomeUsuario'])
    .where(sql<boolean>`id_usuario = any(${ids}::int[])`)
    .execute()
  return new Map(rows.map(({ idUsuario, nomeUsuario }) => [idUsuario, nomeUsuario]))
}

const toComment = (row: CommentRow, { idUsuario }: Reader, names: Map<number, string>): Comment => ({
  idComentario: row.idComentario,
  idConversa: row.idConversa,
  autor: row.excluidoEm === null ? row.nomeAutor : null,
  proprio: row.idUsuario === idUsuario,
  texto: row.texto,
  mencoes: mentionsIn(row.texto).flatMap((id) => {
    const nome = names.get(id)
    return nome === undefined ? [] : [{ idUsuario: id, nome }]
  }),
  criadoEm: row.criadoEm.toISOString(),
  editadoEm: row.editadoEm?.toISOString() ?? null,
  excluido: row.excluidoEm !== null,
})

const toThread = (row: CommentRow, reader: Reader, names: Map<number, string>): CommentThread => ({
  ...toComment(row, reader, names),
  respostas: row.respostas,
  resolvidoEm: row.resolvidoEm?.toISOString() ?? null,
  resolvidoPor: row.resolvidoPor,
  visto: row.filtros && {
    pagina: row.pagina,
    tituloPagina: row.tituloPagina,
    filtros: seesSameRows(reader.report, row.linhas) ? row.filtros : null,
    temFiltros: row.temSelecoes || Object.values(row.filtros).some((value) => value !== ''),
    temSelecoes: row.temSelecoes,
  },
})

interface ThreadFilter {
  situacao: CommentStatus
  paginaRelatorio: string | undefined
  pagina: number
  tamanho: number
}

/** Returns a page of threads, newest first. */
export const listThreads = async (
  db: Db,
  reader: Reader,
  { situacao, paginaRelatorio, ...page }: ThreadFilter,
): Promise<ListPage<CommentThread>> => {
  const matching = comments(db, reader.report)
    .where('idConversa', 'is', null)
    .$if(situacao === 'abertos', (all) => all.where('resolvidoEm', 'is', null))
    .$if(situacao === 'resolvidos', (all) => all.where('resolvidoEm', 'is not', null))
    .$if(paginaRelatorio !== undefined, (all) => all.where('pagina', '=', paginaRelatorio ?? ''))
  const query = { ...page, ordem: '-idade' as const }
  const found = await listPage(db, matching, {
    query,
    orders: { idade: ['idComentario'] },
    byDefault: '-idade',
  })
  const names = await namesOf(
    db,
    found.rows.map(({ texto }) => texto),
  )
  return { ...found, rows: found.rows.map((row) => toThread(row, reader, names)) }
}

export const listReplies = async (db: Db, reader: Reader, idConversa: number): Promise<Comment[]> => {
  const rows = await comments(db, reader.report)
    .where('idConversa', '=', idConversa)
    .orderBy('idComentario')
    .execute()
  const names = await namesOf(
    db,
    rows.map(({ texto }) => texto),
  )
  return rows.map((row) => toComment(row, reader, names))
}

/** @throws Problem 404 when the report has no such comment */
export const getRow = async (db: Db, report: CommentedReport, idComentario: number): Promise<CommentRow> => {
  const row = await comments(db, report).where('idComentario', '=', idComentario).executeTakeFirst()
  if (!row) throw new Problem('nao_encontrado')
  return row
}

/** @throws Problem 404 when the report has no such comment */
export const getComment = async (db: Db, reader: Reader, idComentario: number): Promise<Comment> => {
  const row = await getRow(db, reader.report, idComentario)
  return toComment(row, reader, await namesOf(db, [row.texto]))
}

/** @throws Problem 404 when the report has no thread with this first comment */
export const getThread = async (db: Db, reader: Reader, idComentario: number): Promise<CommentThread> => {
  const row = await getRow(db, reader.report, idComentario)
  if (row.idConversa !== null) throw new Problem('nao_encontrado')
  return toThread(row, reader, await namesOf(db, [row.texto]))
}

/** Locks the thread of a comment, so that its changes run one after another. */
export const lockThread = async (tx: Db, report: CommentedReport, idComentario: number): Promise<void> => {
  const { idConversa } = await getRow(tx, report, idComentario)
  await tx
    .selectFrom('comentario')
    .select('idComentario')
    .where('idComentario', '=', idConversa ?? idComentario)
    .forUpdate()
    .execute()
}

interface NewComment {
  reader: Reader
  texto: string
  idConversa: number | null
  estado: CommentedState | null
  now: Date
}

export const insertComment = async (
  tx: Db,
  { reader, texto, idConversa, estado, now }: NewComment,
): Promise<number> => {
  const state = estado && {
    ...estado,
    filtros: JSON.stringify(estado.filtros),
    linhas: reader.report.rows,
  }
  const { idComentario } = await tx
    .insertInto('comentario')
    .values({
      idRelatorio: reader.report.id,
      idUsuario: reader.idUsuario,
      texto,
      idConversa,
      criadoEm: now,
      ...state,
    })
    .returning('idComentario')
    .executeTakeFirstOrThrow()
  return idComentario
}

const windowMs = 10 * 60_000

/**
 * Counts what the person wrote in the audit trail, which deleted comments stay in.
 * @throws Problem 429 `comentarios_demais` with Retry-After
 */
export const assertFewComments = async (tx: Db, idUsuario: number, now: Date): Promise<void> => {
  // Two concurrent comments could both take the last place.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`comentario:${idUsuario}`}, 0))`.execute(tx)
  const since = new Date(now.getTime() - windowMs)
  const { rows } = await sql<{ total: number; primeiro: Date | null }>`
    select count(*)::int as total, min(quando) as primeiro from auditoria
    where acao in ('comment.created', 'comment.edited')
      and id_usuario = ${idUsuario} and quando > ${since}`.execute(tx)
  const { total = 0, primeiro } = rows[0] ?? {}
  if (total < COMMENTS_IN_TEN_MINUTES) return
  const freeAt = (primeiro ?? now).getTime() + windowMs
  throw new Problem('comentarios_demais', { retryAfter: Math.ceil((freeAt - now.getTime()) / 1000) })
}

/** The active people who may read the comments of the report. */
const readers = (db: Db, idRelatorio: number) =>
  db
    .selectFrom('usuario')
    .innerJoin('relatorio', (join) => join.on('relatorio.idRelatorio', '=', idRelatorio))
    .select(['usuario.idUsuario', 'nomeUsuario'])
    .where(mayReadComments)

/** Returns the ids of those people who may read the comments of the report now. */
export const readersAmong = async (db: Db, idRelatorio: number, ids: number[]): Promise<number[]> => {
  const isAmong = sql<boolean>`usuario.id_usuario = any(${ids}::int[])`
  return (await readers(db, idRelatorio).where(isAmong).execute()).map(({ idUsuario }) => idUsuario)
}

/** Returns other people by name whom a comment may mention. */
export const findPeople = async (
  db: Db,
  { idUsuario, report }: Reader,
  busca: string,
): Promise<MentionedPerson[]> => {
  const rows = await readers(db, report.id)
    .where('usuario.idUsuario', '<>', idUsuario)
    .$if(busca !== '', (all) => all.where(containsWords(['usuario.nomeBusca'], busca)))
    .orderBy('usuario.nomeNatural')
    .orderBy('usuario.idUsuario')
    .limit(MAX_SUGGESTIONS)
    .execute()
  return rows.map(({ idUsuario: id, nomeUsuario: nome }) => ({ idUsuario: id, nome }))
}

/** Returns the people who have written in a thread, with their accounts. */
export const participantsOf = async (tx: Db, idConversa: number): Promise<number[]> => {
  const rows = await tx
    .selectFrom('comentario')
    .select('idUsuario')
    .distinct()
    .where(({ or, eb }) => or([eb('idComentario', '=', idConversa), eb('idConversa', '=', idConversa)]))
    .where('idUsuario', 'is not', null)
    .where('excluidoEm', 'is', null)
    .execute()
  return rows.flatMap(({ idUsuario }) => idUsuario ?? [])
}

/** Returns where a comment is, for a person who may read it. */
export const findPlace = async (
  db: Db,
  { id, idUsuario }: { id: number; idUsuario: number },
): Promise<CommentPlace | undefined> => {
  const row = await db
    .selectFrom('comentario')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'comentario.idRelatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('usuario', (join) => join.on('usuario.idUsuario', '=', idUsuario))
    .innerJoin('comentario as primeiro', (join) =>
      join.on(
        sql<boolean>`primeiro.id_comentario = coalesce(comentario.id_conversa, comentario.id_comentario)`,
      ),
    )
    .select(['relatorio.idRelatorio', 'nomeRelatorio', 'nomeGrupo', 'idGrupo as groupId', 'reportId'])
    .select(['comentario.idComentario', 'primeiro.idComentario as idConversa', 'primeiro.pagina'])
    .select(sql<boolean>`primeiro.resolvido_em is not null`.as('resolvido'))
    .where('comentario.idComentario', '=', id)
    .where(mayReadComments)
    .executeTakeFirst()
  return row
}
