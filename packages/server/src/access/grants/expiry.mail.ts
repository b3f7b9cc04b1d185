import type { MailContent, MailKind } from '../../platform/mail/mail-kind.ts'

interface ExpiringAccess extends MailContent {
  titulo: string
  /** Names the account or the reports, and their last days. */
  texto: string
  link: string
}

/** To a person whose account or grants end in seven days. */
export const accessExpiresMail: MailKind<ExpiringAccess> = {
  modelo: 'acesso_vence',
  text: (mail) => ({
    assunto: `${mail.titulo} no BI Manager`,
    titulo: mail.titulo,
    paragrafos: [mail.texto],
    botao: { texto: 'Abrir o BI Manager', link: mail.link },
    aviso: 'Se você não usa o BI Manager, ignore este e-mail.',
  }),
}
