import type { MailContent, MailKind } from '../../platform/mail/mail-kind.ts'
import { inBrasilia, oneLine } from '../../platform/mail/mail-words.ts'

interface ExpiringSecret extends MailContent {
  segredo: string
  /** Says when it expires and what to do. */
  texto: string
  link: string
}

/** To each ADMIN, before a secret expires and when it did. */
export const secretExpiresMail: MailKind<ExpiringSecret> = {
  modelo: 'segredo_vence',
  text: (mail) => ({
    assunto: `Segredo a trocar no BI Manager: ${oneLine(mail.segredo)}`,
    titulo: 'Um segredo precisa ser trocado',
    paragrafos: [
      `“${oneLine(mail.segredo)}”: ${mail.texto} Com o segredo vencido, os relatórios ou a entrada que dependem dele deixam de funcionar.`,
    ],
    botao: { texto: 'Abrir no BI Manager', link: mail.link },
    aviso: 'Se você não cuida disso, avise quem administra o portal na empresa.',
  }),
}

/** To the ADMIN who asked for it on the status page; `quando` is an ISO instant. */
export const testMail: MailKind<MailContent & { quando: string }> = {
  modelo: 'teste',
  text: (mail) => ({
    assunto: 'E-mail de teste do BI Manager',
    titulo: 'E-mail de teste',
    paragrafos: [
      `Você enviou esta mensagem em ${inBrasilia(mail.quando)}, em “Situação do sistema”. Se ela chegou, o envio de e-mails do portal funciona.`,
    ],
    aviso: 'Se não foi você, avise quem administra o portal na empresa.',
  }),
}

export const systemStatusMails = [secretExpiresMail, testMail]
