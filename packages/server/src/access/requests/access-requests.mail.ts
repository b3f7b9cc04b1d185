import type { MailContent, MailKind } from '../../platform/mail/mail-kind.ts'

interface AnsweredRequest extends MailContent {
  titulo: string
  texto: string
  link: string
  /** The link opens the report, which was granted. */
  abreRelatorio?: boolean
}

/** To a person whose request for access an ADMIN answered. */
export const requestAnsweredMail: MailKind<AnsweredRequest> = {
  modelo: 'pedido_respondido',
  text: (mail) => ({
    assunto: `${mail.titulo} no BI Manager`,
    titulo: mail.titulo,
    paragrafos: [mail.texto],
    botao: { texto: mail.abreRelatorio ? 'Abrir o relatório' : 'Ver meus pedidos', link: mail.link },
    aviso: 'Se você não fez este pedido, avise quem administra o portal na empresa.',
  }),
}
