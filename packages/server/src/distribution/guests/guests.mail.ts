import { brazilianDayOf } from '@bi-manager/contract'
import { HAND_OVER_MS } from '../../platform/mail/link-life.ts'
import type { MailContent, MailKind } from '../../platform/mail/mail-kind.ts'
import { count, oneLine } from '../../platform/mail/mail-words.ts'

interface GuestInvitation extends MailContent {
  por: string
  relatorio: string
  /** yyyy-mm-dd. */
  ultimoDia: string
  link: string
}

/** To a guest. The link only sends the next message. */
export const guestInvitationMail: MailKind<GuestInvitation> = {
  modelo: 'convidado_convite',
  text: (mail, company) => ({
    assunto: 'Você foi convidado a ver um relatório no BI Manager',
    titulo: 'Você foi convidado a ver um relatório',
    paragrafos: [
      `${oneLine(mail.por)} convidou você a ver o relatório “${oneLine(mail.relatorio)}” no BI Manager, o portal de relatórios${company ? ` de ${oneLine(company)}` : ' da empresa'}, até ${brazilianDayOf(mail.ultimoDia)}. Você não precisa de conta nem de senha.`,
      'Guarde este e-mail. A cada visita, abra a página do botão e peça um link: ele chega a este mesmo endereço.',
    ],
    botao: { texto: 'Abrir a página do convite', link: mail.link },
    aviso: 'Se você não esperava este convite, ignore este e-mail: sem o link que a página envia, nada abre.',
  }),
}

interface VisitLink extends MailContent {
  relatorio: string
  /** Opens one visit, within `minutos`. */
  link: string
  minutos: number
}

/** To a guest who asked for it. */
export const visitLinkMail: MailKind<VisitLink> = {
  modelo: 'convidado_link',
  worthSendingForMs: HAND_OVER_MS,
  text: (mail) => ({
    assunto: 'Seu link para ver o relatório no BI Manager',
    titulo: 'Seu link para ver o relatório',
    paragrafos: [
      `Recebemos o seu pedido para ver o relatório “${oneLine(mail.relatorio)}”. Abra-o pelo botão abaixo.`,
      `O link vale por ${count(mail.minutos, 'minuto')} e só pode ser usado uma vez.`,
    ],
    botao: { texto: 'Ver o relatório', link: mail.link },
    aviso:
      'Se você não pediu este link, ignore este e-mail. Não repasse o link a ninguém: ele abre o relatório.',
  }),
}

export const guestMails = [guestInvitationMail, visitLinkMail]
