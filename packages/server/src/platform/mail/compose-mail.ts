import { PRODUCT_NAME } from '@bi-manager/contract'
import type { SendMailOptions } from 'nodemailer'
import type { Letterhead } from '../brand/brand.ts'
import type { Config } from '../config/config.ts'
import type { MailContent, MailFile, MailKind } from './mail-kind.ts'
import { htmlOf, LOGO_ID, PICTURE_ID, plainOf } from './mail-layout.ts'
import { greeting } from './mail-words.ts'

interface Envelope {
  /** The same at every attempt, so that a repeated message can be recognised. */
  id: string
  /** When the message was queued. */
  date: Date
}

/** A message and what its kind says in it. */
interface Message<Content extends MailContent> {
  kind: Pick<MailKind<Content>, 'text' | 'files' | 'headers'>
  para: string
  mail: Content
}

/** Composes the message, as HTML and as text. */
export const composeMail = <Content extends MailContent>(
  { kind, para, mail }: Message<Content>,
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
  const content = kind.text(mail, company)
  const text = { ...content, paragrafos: [greeting(mail.nome), ...content.paragrafos] }
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
    ...partsOf(letterhead, kind.files?.(mail) ?? []),
    date,
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...kind.headers?.(mail),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const partsOf = ({ logo }: Letterhead, files: MailFile[]): Pick<SendMailOptions, 'attachments'> => {
  const parts = [...(logo ? [logoPart(logo)] : []), ...files.map(filePart)]
  return parts.length > 0 ? { attachments: parts } : {}
}

const filePart = ({ name: filename, contentType, content, isPicture }: MailFile) => {
  const file = { filename, contentType, content }
  return isPicture ? { ...file, contentDisposition: 'inline' as const, cid: PICTURE_ID } : file
}

const logoPart = (content: Buffer) =>
  ({
    filename: 'logo.png',
    contentType: 'image/png',
    contentDisposition: 'inline',
    cid: LOGO_ID,
    content,
  }) as const
