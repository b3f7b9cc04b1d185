import { mailKinds } from '../src/mails.ts'
import type { QueuedMail } from '../src/platform/mail/mail-kind.ts'
import { createMailSender } from '../src/platform/mail/send-mail.ts'
import type { TestApp } from './test-app.ts'

type Log = Parameters<typeof createMailSender>[1]
const silent: Log = { warn: () => {}, error: () => {} }

/** Creates a sender of each kind of message; it logs nothing by default. */
export const testSender = (services: Parameters<typeof createMailSender>[0], log = silent) =>
  createMailSender(services, log, mailKinds)

/** Returns the queued messages in order. */
export const mailsOf = async ({
  db,
  services,
}: Pick<TestApp, 'db' | 'services'>): Promise<QueuedMail<{ link?: string }>[]> => {
  const rows = await db.selectFrom('mensagem').select('conteudo').orderBy('idMensagem').execute()
  return rows.map(({ conteudo }) => JSON.parse(services.secrets.decrypt(conteudo)))
}

/** Returns the token in a message's link. */
export const linkIn = (message: QueuedMail<{ link?: string }> | undefined): string => {
  const link = message?.mail.link
  return (link && new URL(link).searchParams.get('token')) ?? ''
}
