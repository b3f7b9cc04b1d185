import { PRODUCT_NAME } from '@bi-manager/contract'
import type { SendMailOptions } from 'nodemailer'
import type { Letterhead } from '../brand/brand.ts'
import type { Config } from '../config/config.ts'
import { contentTypeOf } from '../exports/export-order.ts'
import { htmlOf, LOGO_ID, PICTURE_ID, plainOf } from './mail-layout.ts'
import { textOf } from './mail-texts.ts'
import type { CompleteMail, SubscriptionMessage } from './mails.ts'

interface Envelope {
  /** The same at every attempt, so that a repeated message can be recognised. */
  id: string
  /** When the message was queued. */
  date: Date
}

/** Composes the message, as HTML and as text. */
export const composeMail = (
  { para, mail }: { para: string; mail: CompleteMail },
  {
    config: {
      mail: { from },
      publicUrl,
      companyName,
    },
    letterhead,
  }: { config: Pick<Config, 'mail' | 'publicUrl' | 'companyName'>; letterhead: Letterhead },
  { id, date }: Envelope,
): SendMailOptions => {
  const company = letterhead.name === PRODUCT_NAME ? companyName : letterhead.name
  const text = textOf(mail, company)
  const sender = `BI Manager${company ? ` · ${company}` : ''}`
  const rodape = `${sender} · mensagem automática de ${publicUrl}. Não responda a este e-mail.`
  return {
    from,
    // An object is not parsed as an address list. No header has a name: anyone may type any name.
    to: { name: '', address: para },
    subject: text.assunto,
    text: plainOf(text, rodape),
    html: htmlOf(text, { rodape, letterhead }),
    // In the message itself: a mail program would ask before it loads an image from elsewhere.
    ...partsOf(letterhead, mail),
    date,
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...unsubscribeHeaders(mail),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const partsOf = ({ logo }: Letterhead, mail: CompleteMail): Pick<SendMailOptions, 'attachments'> => {
  const file = mail.modelo === 'assinatura' ? filePart(mail) : []
  const parts = [...(logo ? [logoPart(logo)] : []), ...file]
  return parts.length > 0 ? { attachments: parts } : {}
}

const filePart = ({ relatorio, arquivo }: SubscriptionMessage) => {
  if (!arquivo) return []
  const { formato, conteudo: content } = arquivo
  const filename = `${fileNameOf(relatorio)}.${formato.toLowerCase()}`
  const file = { filename, contentType: contentTypeOf(formato), content }
  if (formato !== 'PNG') return [file]
  return [{ ...file, contentDisposition: 'inline' as const, cid: PICTURE_ID }]
}

/** Returns the report's name without what file systems refuse. */
const fileNameOf = (name: string): string =>
  name
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, '-')
    .replace(/^[\s.-]+|[\s.-]+$/g, '')
    .slice(0, 80)
    .toWellFormed() || 'relatorio'

/** One click in the mail program ends the subscription (RFC 8058). */
const unsubscribeHeaders = (mail: CompleteMail): Record<string, string> =>
  mail.modelo === 'assinatura'
    ? {
        'List-Unsubscribe': `<${mail.saida.oneClick}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }
    : {}

const logoPart = (content: Buffer) =>
  ({
    filename: 'logo.png',
    contentType: 'image/png',
    contentDisposition: 'inline',
    cid: LOGO_ID,
    content,
  }) as const
