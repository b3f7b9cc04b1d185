import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import type { Services } from '../../platform/http/services.ts'
import { dayOf, dayText } from '../../platform/lib/local-time.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { markNotificationsResolved } from '../../platform/notifications/resolve-notifications.ts'
import type { Expiry } from './expiry-dates.ts'
import { type Stage, stageOf } from './secret-stages.ts'
import { secretExpiresMail } from './system-status.mail.ts'

type Needs = Pick<Services, 'config' | 'db' | 'now' | 'secrets'>

/**
 * Notifies the administrators of each secret 30, 7 and 1 days before it expires and when it did,
 * once each, and settles the notifications of a secret that has another date.
 */
export const notifySecrets = async (needs: Needs, secrets: Expiry[]): Promise<void> => {
  const expiring = secrets.flatMap((secret) => {
    const stage = stageOf(secret, needs.now())
    return stage === undefined ? [] : [{ secret, stage }]
  })
  await settleOthers(
    needs,
    expiring.map(({ secret }) => prefixOf(secret)),
  )
  for (const { secret, stage } of expiring) await notifyStage(needs, secret, stage)
}

/**
 * The start of the causes of this secret with this day: another day is notified again. A person
 * enters only the day that Microsoft Graph returns with a time.
 */
const prefixOf = ({ source, expiresAt }: Expiry) => `segredo:${source}@${expiresAt && dayOf(expiresAt)}`
const subjectOf = (prefix: string) => `sistema:${prefix.split('@')[0]}`

const notifyStage = (needs: Needs, secret: Expiry, stage: Stage): Promise<void> =>
  inTransaction(needs.db, async (tx) => {
    const em = needs.now()
    const assunto = subjectOf(prefixOf(secret))
    // Of several processes, the one whose statement inserts the row sends the notification.
    const inserting = tx
      .insertInto('avisoSistema')
      .values({ causa: `${prefixOf(secret)}#${stage}`, ocorrencia: String(stage), em })
      .onConflict((conflict) => conflict.column('causa').doNothing())
    if (!(await hasChanged(inserting))) return
    await markNotificationsResolved(tx, assunto, em)
    // Versions before 0.3.0 notified of the same secret under this subject.
    await markNotificationsResolved(tx, `sistema:validade:${secret.source}`, em)
    const titulo = `Segredo: ${secret.name}`
    const rota = secret.path ?? '/situacao'
    const draft = { tipo: 'sistema_com_problema', titulo, texto: textOf(secret, stage), rota } as const
    await notify(tx, 'administradores', { ...draft, assunto }, em)
    await mailAdmins(tx, needs, { secret, stage, rota })
  })

const textOf = ({ expiresAt, path, source }: Expiry, stage: Stage): string => {
  const verb = stage === 0 ? 'venceu' : 'vence'
  const where = path ? 'no cadastro do Powerbi' : `em ${source}`
  return `O segredo ${verb} em ${expiresAt ? dayText(expiresAt) : ''}. Crie outro no provedor e troque-o ${where}.`
}

interface StageMail {
  secret: Expiry
  stage: Stage
  rota: string
}

const mailAdmins = async (tx: Db, needs: Needs, { secret, stage, rota }: StageMail): Promise<void> => {
  const people = await tx
    .selectFrom('usuario')
    .select(['nomeUsuario', 'emailUsuario'])
    .where(isActiveAccount())
    .where('tipoUsuario', '=', 'ADMIN')
    .where('emailPorProvar', '=', false)
    .execute()
  const { name: segredo } = secret
  const texto = textOf(secret, stage)
  const link = `${needs.config.publicUrl}${rota}`
  for (const { nomeUsuario: nome, emailUsuario: para } of people) {
    await queueMail(tx, needs, secretExpiresMail, { para, mail: { nome, segredo, texto, link } })
  }
}

/** Forgets the causes of secrets with another date, without one, or of deleted connections. */
const settleOthers = async ({ db, now }: Needs, kept: string[]): Promise<void> => {
  const rows = await db
    .selectFrom('avisoSistema')
    .select('causa')
    .where('causa', 'like', 'segredo:%')
    .execute()
  const gone = rows.map(({ causa }) => causa).filter((causa) => !kept.includes(causa.split('#')[0] ?? ''))
  for (const causa of gone) {
    await inTransaction(db, async (tx) => {
      const wasKnown = await hasChanged(tx.deleteFrom('avisoSistema').where('causa', '=', causa))
      if (wasKnown) await markNotificationsResolved(tx, subjectOf(causa), now())
    })
  }
}
