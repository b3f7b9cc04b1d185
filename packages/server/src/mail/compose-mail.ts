import { PRODUCT_NAME } from '@bi-manager/contract'
import type { SendMailOptions } from 'nodemailer'
import type { Letterhead } from '../brand/brand.ts'
import type { Config } from '../config/config.ts'
import { htmlOf, LOGO_ID, plainOf } from './mail-layout.ts'
import { textOf } from './mail-texts.ts'
import type { QueuedMail } from './queue-mail.ts'

interface Envelope {
  /** The same at every attempt, so that a repeated message can be recognised. */
  id: string
  /** When the message was queued. */
  date: Date
}

/** Composes the message, as HTML and as text. */
export const composeMail = (
  { para, mail }: QueuedMail,
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
    ...(letterhead.logo ? { attachments: [logoPart(letterhead.logo)] } : {}),
    date,
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const logoPart = (content: Buffer) =>
  ({
    filename: 'logo.png',
    contentType: 'image/png',
    contentDisposition: 'inline',
    cid: LOGO_ID,
    content,
  }) as const
