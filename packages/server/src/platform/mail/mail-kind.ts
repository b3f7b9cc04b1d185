import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'
import type { LinkInMail } from './link-life.ts'

/** What the text of a message needs; the greeting names the recipient. Links are absolute. */
export interface MailContent {
  nome: string
}

/** The text of a message, before its layout. */
export interface MailText {
  assunto: string
  titulo: string
  paragrafos: string[]
  /** Facts, such as the filters of a report. */
  detalhes?: { rotulo: string; valor: string }[]
  /** A chart of the last values; `parte` of the largest one, from 0 to 1. */
  serie?: { quando: string; valor: string; parte: number }[]
  /** The text in place of the picture that is part of the message. */
  figura?: string
  botao?: { texto: string; link: string }
  /** What to do if the recipient did not ask for this. */
  aviso: string
  /** A link below everything else. */
  saida?: { texto: string; link: string }
}

/** A file that is attached, or the picture that `figura` of the text describes. */
export interface MailFile {
  name: string
  contentType: string
  content: Buffer
  isPicture: boolean
}

/** A message to queue. */
export interface NewMail<Queued extends object> {
  /** An e-mail address. */
  para: string
  mail: Queued
  /**
   * The reader and the comment of a mention, which its kind checks just before sending. Beside `mail`, not
   * in it: a node of an older version looks for it here, and sends a message without it unchecked.
   */
  leitor?: { idUsuario: number; idComentario: number }
  /** Sent only while the link is valid; its life begins then. */
  vidaDoLink?: LinkInMail
}

/** A message of the queue; the database stores it encrypted. */
export interface QueuedMail<Queued extends object = object> extends NewMail<Queued & { modelo: string }> {
  /** Once the mail server has accepted the message: only its outcome remains to be stored. */
  entregue?: DeliveredMail
}

export interface DeliveredMail {
  para: string
  /** ISO 8601. */
  em: string
  /** For the run of a subscription, in Portuguese. */
  observacao: string | null
}

/** A message that may be sent now, with a remark for its outcome, or why it may not, in Portuguese. */
export type PreparedMail<Content extends MailContent> =
  | { para: string; mail: Content; remark?: string | null }
  | { motivo: string }

/** How a message ended: sent, skipped or given up. */
export interface MailEnd {
  estado: 'ENVIADA' | 'PULADA' | 'FALHOU'
  /** In Portuguese. */
  motivo: string | null
  em: Date
}

export type MailServices = Pick<Services, 'config' | 'db' | 'secrets' | 'files'>

/**
 * A kind of message, defined beside its noun in a file `*.mail.ts`; `mails.ts` lists all kinds
 * (ADR 0099). It has methods, not properties with functions: TypeScript then accepts a kind of any
 * content in that list.
 * @template Queued what the queue holds, where it is not what the text needs
 */
export interface MailKind<Content extends MailContent, Queued extends object = Content> {
  /** Rows of the queue and of failures hold this name: it never changes. */
  modelo: string
  /** Milliseconds after which the message is given up; 72 hours without it. */
  worthSendingForMs?: number
  /** Decides just before the message leaves whether it may. Without it, the queued content is sent. */
  prepare?(services: MailServices, queued: QueuedMail<Queued>): Promise<PreparedMail<Content>>
  /** Returns the text without its greeting. */
  text(mail: Content, company: string | undefined): MailText
  files?(mail: Content): MailFile[]
  headers?(mail: Content): Record<string, string>
  /** Stores how the message ended, in the transaction that deletes it from the queue. */
  ended?(tx: Db, queued: Queued, end: MailEnd): Promise<void>
}

/** A kind in the list of all kinds. */
export type AnyMailKind = MailKind<MailContent, object>
