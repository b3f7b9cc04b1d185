import { randomUUID } from 'node:crypto'
import type { MailTest } from '@bi-manager/contract'
import { readLetterhead } from '../../platform/brand/brand.ts'
import type { Services } from '../../platform/http/services.ts'
import { readInstallation } from '../../platform/installation/test-environment.ts'
import { composeMail } from '../../platform/mail/compose-mail.ts'
import { createDelivery } from '../../platform/mail/mail-delivery.ts'
import { failureOf, failureSentence } from '../../platform/mail/mail-failure.ts'
import type { MailKind } from '../../platform/mail/mail-kind.ts'
import { recordDelivery, recordFailure } from '../../platform/mail/mail-outcomes.ts'
import { fileNameOf } from '../../platform/mail/send-mail.ts'

/** A person waits for the answer, so the limit is shorter than that of the sender. */
const longestMs = 20_000

const HELD =
  'Este ambiente foi restaurado como ensaio e não envia e-mails, nem o de teste: ele só sai depois que o ambiente for liberado.'

/** Sends a test message at once, without the queue, and returns its outcome. */
export const sendTestMail = async (
  { config, db, now }: Pick<Services, 'config' | 'db' | 'now'>,
  kind: MailKind<{ nome: string; quando: string }>,
  { para, nome }: { para: string; nome: string },
): Promise<MailTest> => {
  if ((await readInstallation(db)).ensaio) return { entregue: false, para, frase: HELD, codigo: null }
  const date = now()
  const message = composeMail(
    { kind, para, mail: { nome, quando: date.toISOString() } },
    { config, letterhead: await readLetterhead(db) },
    { id: randomUUID(), date },
  )
  const file = fileNameOf({ criadaEm: date, idMensagem: 0 }, kind.modelo)
  try {
    await createDelivery(config)(message, file, AbortSignal.timeout(longestMs))
  } catch (error) {
    const failure = failureOf(error)
    await recordFailure(db, { para, failure, now: now() })
    return { entregue: false, para, frase: failureSentence(failure), codigo: failure.codigo }
  }
  await recordDelivery(db, { para })
  const entregue = config.mail.smtpUrl !== undefined
  const frase = entregue
    ? `O servidor de e-mail aceitou a mensagem para ${para}. Se ela não chegar, veja a pasta de spam.`
    : `Nada foi enviado: sem SMTP_URL, a mensagem ficou no arquivo ${file} da pasta outbox.`
  return { entregue, para, frase, codigo: null }
}
