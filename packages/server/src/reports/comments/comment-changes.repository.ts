import type { Db } from '../../platform/db/open-database.ts'
import type { CommentRow } from './comments.repository.ts'

export const updateText = async (tx: Db, idComentario: number, texto: string, now: Date): Promise<void> => {
  await tx
    .updateTable('comentario')
    .set({ texto, editadoEm: now })
    .where('idComentario', '=', idComentario)
    .execute()
}

/** @param resolution null reopens the thread */
export const resolveThread = async (
  tx: Db,
  idConversa: number,
  resolution: { em: Date; por: number } | null,
): Promise<void> => {
  await tx
    .updateTable('comentario')
    .set({ resolvidoEm: resolution?.em ?? null, resolvidoPor: resolution?.por ?? null })
    .where('idComentario', '=', idConversa)
    .execute()
}

/**
 * Deletes a comment. One with replies stays without its content; it goes with its last reply.
 */
export const deleteComment = async (
  tx: Db,
  { idComentario, idConversa, respostas }: CommentRow,
  now: Date,
): Promise<void> => {
  if (respostas > 0) {
    const emptied = { texto: '', excluidoEm: now, editadoEm: null, filtros: null, marcador: null }
    await tx
      .updateTable('comentario')
      .set({ ...emptied, linhas: null, temSelecoes: false })
      .where('idComentario', '=', idComentario)
      .execute()
    return
  }
  await tx.deleteFrom('comentario').where('idComentario', '=', idComentario).execute()
  if (idConversa === null) return
  await tx
    .deleteFrom('comentario')
    .where('idComentario', '=', idConversa)
    .where('excluidoEm', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('comentario as resposta')
            .select('idComentario')
            .where('resposta.idConversa', '=', idConversa),
        ),
      ),
    )
    .execute()
}
