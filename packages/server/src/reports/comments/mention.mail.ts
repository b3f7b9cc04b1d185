import type { Db } from '../../platform/db/open-database.ts'
import { hasRow } from '../../platform/db/queries/outcomes.ts'
import type { MailContent, MailKind, NewMail } from '../../platform/mail/mail-kind.ts'
import { oneLine } from '../../platform/mail/mail-words.ts'
import { isMentioned, mayReadComments } from './comment-readers.ts'

/** It has no word of the comment. */
interface Mention extends MailContent {
  por: string
  relatorio: string
  link: string
}

/** To a person mentioned in a comment. */
export const mentionMail: MailKind<Mention> = {
  modelo: 'mencao',
  prepare: async ({ db }, { para, mail, leitor }) => {
    if (leitor === undefined || (await isStillMeant(db, para, leitor))) return { para, mail }
    return { motivo: 'A pessoa não pode mais ler o comentário, ou ele não a menciona mais.' }
  },
  text: (mail) => ({
    assunto: 'Você foi mencionado em um comentário no BI Manager',
    titulo: 'Você foi mencionado em um comentário',
    paragrafos: [
      `${oneLine(mail.por)} mencionou você em um comentário no relatório “${oneLine(mail.relatorio)}”. Entre no portal para ler e responder.`,
    ],
    botao: { texto: 'Ver o comentário', link: mail.link },
    aviso: 'Se você não acompanha este relatório, ignore este e-mail.',
  }),
}

type Reader = NonNullable<NewMail<Mention>['leitor']>

/** Returns whether the person still has this address, is mentioned and may read the comment. */
const isStillMeant = (db: Db, para: string, { idUsuario, idComentario }: Reader): Promise<boolean> =>
  hasRow(
    db
      .selectFrom('comentario')
      .innerJoin('relatorio', 'relatorio.idRelatorio', 'comentario.idRelatorio')
      .innerJoin('usuario', (join) => join.on('usuario.idUsuario', '=', idUsuario))
      .select('idComentario')
      .where('idComentario', '=', idComentario)
      .where('excluidoEm', 'is', null)
      .where('emailUsuario', '=', para)
      .where('emailPorProvar', '=', false)
      .where(isMentioned)
      .where(mayReadComments),
  )
