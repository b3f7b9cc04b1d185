import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/open-database.ts'

/**
 * A link in a message, whose life begins when the message is handed over to the mail server: mail
 * servers often take a message only at a later attempt.
 */
export interface LinkInMail {
  tabela: 'linkConta' | 'convidadoLink'
  /** The digest of the link's token. */
  marca: string
  minutos: number
}

/** Milliseconds in which a message with such a link may be handed over. */
export const HAND_OVER_MS = 60 * 60_000

const tables: Record<LinkInMail['tabela'], RawBuilder<unknown>> = {
  linkConta: sql`link_conta`,
  convidadoLink: sql`convidado_link`,
}

/** Returns whether the link is still stored and has not expired, so that its message may be sent. */
export const isLinkValid = async (db: Db, { tabela, marca }: LinkInMail, now: Date): Promise<boolean> => {
  const { rows } = await sql`select from ${tables[tabela]}
    where marca = ${marca} and expira_em > ${now}::timestamptz`.execute(db)
  return rows.length > 0
}

/** Begins the link's life; a process that dies before leaves it valid for the rest of the hour. */
export const beginLinkLife = async (
  db: Db,
  { tabela, marca, minutos }: LinkInMail,
  now: Date,
): Promise<void> => {
  const expiraEm = new Date(now.getTime() + minutos * 60_000)
  await sql`update ${tables[tabela]} set expira_em = ${expiraEm}::timestamptz where marca = ${marca}`.execute(
    db,
  )
}
