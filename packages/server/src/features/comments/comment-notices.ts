import { sql } from 'kysely'
import type { Db } from '../../db/open-database.ts'
import type { Services } from '../../http/services.ts'
import { queueMails } from '../../mail/queue-mail.ts'
import { insertNotifications, notify } from '../../notifications/notify.ts'
import { participantsOf, readersAmong } from './comments.repository.ts'

interface Written {
  idComentario: number
  /** The first comment of its thread. */
  idConversa: number
  report: { id: number; nomeRelatorio: string }
  /** The page's title; '' when it is unknown. */
  tituloPagina: string
  writer: { idUsuario: number; nomeUsuario: string }
  /** The people to tell that they are mentioned. */
  mentioned: number[]
}

type Needs = Pick<Services, 'config' | 'secrets' | 'now'>

/**
 * Tells the mentioned people by bell and e-mail, and the other writers of the thread by bell. A
 * person is told again of a thread only after they have read that notification.
 */
export const tellOf = async (tx: Db, needs: Needs, written: Written, isReply: boolean): Promise<void> => {
  const { idComentario, idConversa, report, writer, mentioned, tituloPagina } = written
  const now = needs.now()
  const rota = `/comentario/${idComentario}`
  const about = { tipo: 'comentario', idComentario, rota } as const
  const where = `No relatório “${report.nomeRelatorio}”${tituloPagina ? `, página “${tituloPagina}”` : ''}.`
  const others = mentioned.filter((id) => id !== writer.idUsuario)
  const people = await readersAmong(tx, report.id, others)
  const told = await insertNotifications(
    tx,
    people.map(({ idUsuario }) => idUsuario),
    {
      ...about,
      titulo: `${writer.nomeUsuario} mencionou você em um comentário`,
      texto: where,
      assunto: `mencao:${idConversa}`,
    },
    now,
  )
  const mails = people.filter((one) => told.includes(one.idUsuario) && !one.emailPorProvar)
  if (mails.length > 0) {
    await queueMails(
      tx,
      needs,
      mails.map(({ idUsuario, nomeUsuario: nome, emailUsuario: para }) => ({
        para,
        leitor: { idUsuario, idComentario },
        mail: {
          modelo: 'mencao',
          nome,
          por: writer.nomeUsuario,
          relatorio: report.nomeRelatorio,
          link: `${needs.config.publicUrl}${rota}`,
        },
      })),
    )
  }
  if (!isReply) return
  const participants = await participantsOf(tx, idConversa)
  const rest = participants.filter((id) => id !== writer.idUsuario && !others.includes(id))
  const replied = await readersAmong(tx, report.id, rest)
  await notify(
    tx,
    replied.map(({ idUsuario }) => idUsuario),
    {
      ...about,
      titulo: `${writer.nomeUsuario} respondeu em uma conversa sua`,
      texto: where,
      assunto: `resposta:${idConversa}`,
    },
    now,
  )
}

/**
 * Takes the notifications of a comment out of the bell.
 * @param people undefined: of all
 */
export const withdrawNotices = async (tx: Db, idComentario: number, people?: number[]): Promise<void> => {
  const only = people === undefined ? sql`true` : sql`id_usuario = any(${people}::int[])`
  await sql`
    with retiradas as (
      delete from notificacao where id_comentario = ${idComentario} and ${only}
      returning id_usuario, lida_em
    )
    update usuario set versao_notificacoes = versao_notificacoes + 1
    where id_usuario in (select id_usuario from retiradas where lida_em is null)`.execute(tx)
}
