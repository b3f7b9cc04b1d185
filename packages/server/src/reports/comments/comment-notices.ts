import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { mentionSubject, replySubject } from './comment-subjects.ts'
import { participantsOf, readersAmong } from './comments.repository.ts'
import { mentionMail } from './mention.mail.ts'

interface Place {
  /** The first comment of the thread. */
  idConversa: number
  report: { id: number; nomeRelatorio: string }
  /** The page's title; '' when it is unknown. */
  tituloPagina: string
}

interface Written extends Place {
  idComentario: number
  writer: { idUsuario: number; nomeUsuario: string }
}

type Needs = Pick<Services, 'config' | 'secrets' | 'now'>

const aboutComment = ({ idComentario, report, tituloPagina }: Written) => ({
  idComentario,
  rota: `/comentario/${idComentario}`,
  texto: `No relatório “${report.nomeRelatorio}”${tituloPagina ? `, página “${tituloPagina}”` : ''}.`,
})

/**
 * Notifies the mentioned people by bell and e-mail. A person is notified again of a thread only after
 * they have read that notification.
 * @param when the time of the mention
 */
export const notifyMentioned = async (
  tx: Db,
  needs: Needs,
  written: Written,
  mentioned: number[],
  when = needs.now(),
): Promise<void> => {
  const { idComentario, idConversa, report, writer } = written
  const { idUsuario: by, nomeUsuario: por } = writer
  const bell = { ...aboutComment(written), titulo: `${por} mencionou você em um comentário` }
  const link = `${needs.config.publicUrl}${bell.rota}`
  const message = (nome: string, idUsuario: number) => ({
    leitor: { idUsuario, idComentario },
    mail: { nome, por, relatorio: report.nomeRelatorio, link },
  })
  const audience = await readersAmong(tx, report.id, mentioned)
  const notice = { audience, but: [by], kind: 'comentario', subject: mentionSubject(idConversa) } as const
  await notify(tx, { ...notice, bell, mail: { services: needs, kind: mentionMail, message } }, when)
}

/** Notifies the other writers of the thread of a reply by bell, except those whom it mentions. */
export const notifyWriters = async (
  tx: Db,
  { now }: Pick<Needs, 'now'>,
  written: Written,
  mentioned: number[],
): Promise<void> => {
  const { idConversa, report, writer } = written
  const titulo = `${writer.nomeUsuario} respondeu em uma conversa sua`
  const notice = {
    audience: await readersAmong(tx, report.id, await participantsOf(tx, idConversa)),
    but: [writer.idUsuario, ...mentioned],
    kind: 'comentario',
    subject: replySubject(idConversa),
    bell: { ...aboutComment(written), titulo },
  } as const
  await notify(tx, notice, now())
}

/**
 * Deletes the notifications of a comment. A person whom a later comment of the thread mentions is
 * notified of that one: the deleted notification, still unread, had suppressed it.
 * @param people undefined: all people
 */
export const withdrawNotices = async (
  tx: Db,
  needs: Needs,
  { idComentario, ...place }: Place & { idComentario: number },
  people?: number[],
): Promise<void> => {
  const { idConversa } = place
  const only = people === undefined ? sql`true` : sql`id_usuario = any(${people}::int[])`
  const { rows } = await sql<MissedMention>`
    with retiradas as (
      delete from notificacao where id_comentario = ${idComentario} and ${only}
      returning id_usuario, assunto, criada_em, lida_em
    ), contadas as (
      update usuario set versao_notificacoes = versao_notificacoes + 1
      where id_usuario in (select id_usuario from retiradas where lida_em is null)
    ), primeiras as (
      select distinct on (r.id_usuario) r.id_usuario as pessoa, c.id_comentario,
        greatest(c.criado_em, c.editado_em) as em, autor.id_usuario as id_autor, autor.nome_usuario as nome
      from retiradas r
        join comentario c on (c.id_comentario = ${idConversa} or c.id_conversa = ${idConversa})
          and c.id_comentario <> ${idComentario} and c.id_usuario <> r.id_usuario
          and position('@{' || r.id_usuario || '}' in c.texto) > 0
          and greatest(c.criado_em, c.editado_em) >= r.criada_em
        join usuario autor on autor.id_usuario = c.id_usuario
      where r.lida_em is null and r.assunto = ${mentionSubject(idConversa)}
      order by r.id_usuario, em
    )
    select id_comentario as "idComentario", em, id_autor as "idAutor", nome, array_agg(pessoa) as pessoas
    from primeiras group by id_comentario, em, id_autor, nome`.execute(tx)
  for (const { idComentario: id, em, idAutor, nome, pessoas } of rows) {
    const writer = { idUsuario: idAutor, nomeUsuario: nome }
    await notifyMentioned(tx, needs, { ...place, idComentario: id, writer }, pessoas, em)
  }
}

/** A comment, and the people whom it mentioned without a notification. */
interface MissedMention {
  idComentario: number
  /** When it mentioned them. */
  em: Date
  idAutor: number
  nome: string
  pessoas: number[]
}
