import type { QueuedMail } from '../src/mail/queue-mail.ts'
import type { TestApp } from './test-app.ts'

/** Returns the queued messages in order. */
export const mailsOf = async ({ db, services }: Pick<TestApp, 'db' | 'services'>): Promise<QueuedMail[]> => {
  const rows = await db.selectFrom('mensagem').select('conteudo').orderBy('idMensagem').execute()
  return rows.map(({ conteudo }) => JSON.parse(services.secrets.open(conteudo)) as QueuedMail)
}

/** Returns the token in a message's link. */
export const linkIn = (message: QueuedMail | undefined): string => {
  const link = message && 'link' in message.mail ? message.mail.link : undefined
  return (link && new URL(link).searchParams.get('token')) ?? ''
}
