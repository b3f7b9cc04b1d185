import { sql } from 'kysely'
import { accountRefusedMail } from '../../src/accounts/accounts.mail.ts'
import { loadConfig } from '../../src/platform/config/config.ts'
import { loadSecrets } from '../../src/platform/config/secrets.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inTransaction } from '../../src/platform/db/transactions/in-transaction.ts'
import { createFileStore } from '../../src/platform/files/create-file-store.ts'
import { queueMail } from '../../src/platform/mail/queue-mail.ts'
import { testSender } from '../mails.ts'

/*
 * Sends the messages that wait in the mail queue, and queues MAILS more, each in its own transaction. Prints
 * the address of each message whose transaction has ended. With DRAIN, the process ends when no message
 * waits.
 */

const { ROUND, MAILS, DRAIN } = process.env
const config = loadConfig(process.env)
const db = await openDatabase({ ...config, onError: console.error })
const secrets = loadSecrets(config.appSecret, config.dataDir)
const services = { config, db, secrets, files: createFileStore(config, db), now: () => new Date() }
// As if the leases of the process before had ended.
await sql`update mensagem set proxima_em = now()`.execute(db)
const sender = testSender(services, console)
sender.start()
for (let n = 0; n < Number(MAILS); n += 1) {
  const para = `r${ROUND}-${n}@exemplo.com.br`
  await inTransaction(db, (tx) =>
    queueMail(tx, services, accountRefusedMail, { para, mail: { nome: 'Ana' } }),
  )
  console.log(`queued ${para}`)
}
while (DRAIN) {
  const { rows } = await sql`select from mensagem limit 1`.execute(db)
  if (rows.length === 0) break
  await new Promise((resolve) => setTimeout(resolve, 100))
}
if (DRAIN) {
  await sender.close()
  await db.destroy()
}
