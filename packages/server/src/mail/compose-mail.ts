import type { SendMailOptions } from 'nodemailer'
import type { Config } from '../config/config.ts'
import { htmlOf, plainOf } from './mail-layout.ts'
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
  { mail: { from }, publicUrl, companyName }: Pick<Config, 'mail' | 'publicUrl' | 'companyName'>,
  { id, date }: Envelope,
): SendMailOptions => {
  const text = textOf(mail, companyName)
  const sender = `BI Manager${companyName ? ` · ${companyName}` : ''}`
  const rodape = `${sender} · mensagem automática de ${publicUrl}. Não responda a este e-mail.`
  return {
    from,
    // An object is not parsed as an address list. No header has a name: anyone may type any name.
    to: { name: '', address: para },
    subject: text.assunto,
    text: plainOf(text, rodape),
    html: htmlOf(text, rodape),
    date,
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
