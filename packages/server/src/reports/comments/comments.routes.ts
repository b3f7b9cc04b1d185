import { type CommentThread, commentsApi, MAX_REPLIES, mentionsIn } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import type { Audit, Write } from '../../platform/http/caller-transaction.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { sendListHeaders } from '../../platform/http/lists/list-headers.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { deleteComment, resolveThread, updateText } from './comment-changes.repository.ts'
import { notifyMentioned, notifyWriters, withdrawNotices } from './comment-notices.ts'
import { getSettings, updateSettings } from './comment-settings.repository.ts'
import { type CommentedReport, getCommentedReport, seesSameRows } from './commented-report.ts'
import {
  assertFewComments,
  type CommentRow,
  findPeople,
  findPlace,
  getComment,
  getRow,
  getThread,
  insertComment,
  listReplies,
  listThreads,
  lockThread,
  type Reader,
  readersAmong,
} from './comments.repository.ts'

const pageSize = 20

interface Change {
  id: number
  user: Caller
  write: Write
}

export const commentsRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, now, secrets } = services
  const readerOf = async (from: Db, user: Caller, id: number): Promise<Reader> => ({
    idUsuario: user.idUsuario,
    report: await getCommentedReport(from, secrets, user, id),
  })
  /** For calls with a body. A call without one reads the access in its handler, once. */
  const authorize = async ({ id }: { id: number }, user: Caller): Promise<void> => {
    await readerOf(db, user, id)
  }

  /** Reads the access once more in the transaction: it may have ended since the call began. */
  const changing = <T>(
    { id, user, write }: Change,
    work: (tx: Db, reader: Reader, audit: Audit) => Promise<T>,
  ): Promise<T> => write(async (tx, audit) => work(tx, await readerOf(tx, user, id), audit))

  serve(app, commentsApi.list, async ({ params, query }, context) => {
    const reader = await readerOf(db, context.user, params.id)
    const { situacao, paginaRelatorio, pagina = 1, tamanho = pageSize } = query
    const page = await listThreads(db, reader, { situacao, paginaRelatorio, pagina, tamanho })
    return sendListHeaders(page, { pagina, tamanho }, context)
  })

  serve(
    app,
    commentsApi.create,
    ({ params: { id }, body }, { user, write }) =>
      changing({ id, user, write }, async (tx, reader, audit) => {
        const time = now()
        await assertFewComments(tx, user.idUsuario, time)
        const { texto, idConversa, estado } = body
        let title = estado?.tituloPagina ?? ''
        if (idConversa !== null) {
          await lockThread(tx, reader.report, idConversa)
          const thread = await getThread(tx, reader, idConversa)
          if (thread.respostas >= MAX_REPLIES) throw new Problem('respostas_demais')
          title = thread.visto?.tituloPagina ?? ''
        }
        const mentioned = await assertReaders(tx, id, mentionsIn(texto))
        const isReply = idConversa !== null
        const idComentario = await insertComment(tx, {
          reader,
          texto,
          idConversa,
          estado: isReply ? null : estado,
          now: time,
        })
        // A thread with a new reply is not settled.
        if (isReply) await resolveThread(tx, idConversa, null)
        const about = { idComentario, idConversa: idConversa ?? idComentario }
        const written = { ...about, report: reader.report, tituloPagina: title, writer: user }
        await notifyMentioned(tx, services, written, mentioned)
        if (isReply) await notifyWriters(tx, services, written, mentioned)
        await audit('comment.created', subjectOf(id), { ...about, mencoes: mentioned.length })
        return getComment(tx, reader, idComentario)
      }),
    { authorize },
  )

  serve(app, commentsApi.people, async ({ params, query }, { user }) =>
    findPeople(db, await readerOf(db, user, params.id), query.busca),
  )

  serve(app, commentsApi.thread, async ({ params }, { user }) =>
    getThread(db, await readerOf(db, user, params.id), params.idComentario),
  )

  serve(app, commentsApi.replies, async ({ params }, { user }) => {
    const reader = await readerOf(db, user, params.id)
    await getThread(db, reader, params.idComentario)
    return listReplies(db, reader, params.idComentario)
  })

  serve(app, commentsApi.state, async ({ params }, { user }) => {
    const { report } = await readerOf(db, user, params.id)
    const { pagina, filtros, marcador, linhas } = await getRow(db, report, params.idComentario)
    if (filtros === null) throw new Problem('nao_encontrado')
    // The values of filters and selections can be those of rows that the caller may not see.
    if (!seesSameRows(report, linhas)) return { pagina, filtros: {}, marcador: null, completo: false }
    return { pagina, filtros, marcador, completo: true }
  })

  serve(
    app,
    commentsApi.edit,
    ({ params: { id, idComentario }, body: { texto } }, { user, write }) =>
      changing({ id, user, write }, async (tx, reader, audit) => {
        const time = now()
        await assertFewComments(tx, user.idUsuario, time)
        await lockThread(tx, reader.report, idComentario)
        const before = await getRow(tx, reader.report, idComentario)
        assertOwn(before, user)
        const [known, mentioned] = [mentionsIn(before.texto), mentionsIn(texto)]
        // A person who has lost access since may stay mentioned; nobody tells them.
        const added = await assertReaders(
          tx,
          id,
          mentioned.filter((one) => !known.includes(one)),
        )
        await updateText(tx, idComentario, texto, time)
        const place = await placeOf(tx, reader.report, before)
        const removed = known.filter((one) => !mentioned.includes(one))
        if (removed.length > 0) await withdrawNotices(tx, services, place, removed)
        await notifyMentioned(tx, services, { ...place, writer: user }, added)
        const { idConversa } = place
        await audit('comment.edited', subjectOf(id), { idComentario, idConversa, mencoes: added.length })
        return getComment(tx, reader, idComentario)
      }),
    { authorize },
  )

  serve(
    app,
    commentsApi.resolve,
    ({ params: { id, idComentario }, body: { resolvido } }, { user, write }) =>
      changing({ id, user, write }, async (tx, reader, audit): Promise<CommentThread> => {
        await lockThread(tx, reader.report, idComentario)
        const before = await getThread(tx, reader, idComentario)
        if ((before.resolvidoEm !== null) === resolvido) return before
        await resolveThread(tx, idComentario, resolvido ? { em: now(), por: user.idUsuario } : null)
        await audit(resolvido ? 'comment.resolved' : 'comment.reopened', subjectOf(id), { idComentario })
        return getThread(tx, reader, idComentario)
      }),
    { authorize },
  )

  serve(
    app,
    commentsApi.remove,
    ({ params: { id, idComentario } }, { user, write }) =>
      changing({ id, user, write }, async (tx, reader, audit) => {
        await lockThread(tx, reader.report, idComentario)
        const before = await getRow(tx, reader.report, idComentario)
        const isOwn = before.idUsuario === user.idUsuario
        if (!isOwn && user.tipo !== 'ADMIN') throw new Problem('sem_permissao')
        if (before.excluidoEm !== null) throw new Problem('comentario_excluido')
        const place = await placeOf(tx, reader.report, before)
        await withdrawNotices(tx, services, place)
        await deleteComment(tx, before, now())
        await audit('comment.deleted', subjectOf(id), {
          idComentario,
          idConversa: place.idConversa,
          ...(isOwn ? {} : { deOutraPessoa: true, idUsuario: before.idUsuario }),
        })
      }),
    { authorize },
  )

  serve(app, commentsApi.place, async ({ params: { id } }, { user: { idUsuario } }) =>
    orNotFound(await findPlace(db, { id, idUsuario })),
  )

  serve(app, commentsApi.settings, () => getSettings(db))

  serve(app, commentsApi.updateSettings, ({ body }, { write }) =>
    write(async (tx, audit) => {
      const isChanged = await updateSettings(tx, body)
      if (isChanged) await audit('comments.switched', 'configuracao:comentarios', { ...body })
      return body
    }),
  )
}

const subjectOf = (idRelatorio: number) => `relatorio:${idRelatorio}`

/** Returns what notifications say of a comment's place. */
const placeOf = async (
  tx: Db,
  report: CommentedReport,
  { idComentario, idConversa: thread, tituloPagina: title }: CommentRow,
) => {
  const idConversa = thread ?? idComentario
  const tituloPagina = thread === null ? title : (await getRow(tx, report, thread)).tituloPagina
  return { idComentario, idConversa, report, tituloPagina }
}

/** @throws Problem 403 when another person wrote it, 409 when it was deleted */
const assertOwn = ({ idUsuario, excluidoEm }: CommentRow, user: Caller): void => {
  if (idUsuario !== user.idUsuario) throw new Problem('sem_permissao')
  if (excluidoEm !== null) throw new Problem('comentario_excluido')
}

/**
 * Returns the ids, each of a person who may read the comments of the report.
 * @throws Problem 422, the same for a person without access and for none
 */
const assertReaders = async (tx: Db, idRelatorio: number, ids: number[]): Promise<number[]> => {
  if (ids.length === 0) return []
  const readers = await readersAmong(tx, idRelatorio, ids)
  if (readers.length < ids.length) {
    throw new Problem('campos_invalidos', {
      campos: { texto: 'Uma das pessoas mencionadas não vê este relatório. Retire a menção.' },
    })
  }
  return ids
}
