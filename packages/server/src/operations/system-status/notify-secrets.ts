import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import type { Services } from '../../platform/http/services.ts'
import { dayOf, dayText } from '../../platform/lib/local-time.ts'
import { notify, takeBack } from '../../platform/notifications/notify.ts'
import type { Expiry } from './expiry-dates.ts'
import { type Stage, stageOf } from './secret-stages.ts'
import { secretExpiresMail } from './system-status.mail.ts'

type Needs = Pick<Services, 'config' | 'db' | 'now' | 'secrets'>

/**
 * Notifies the administrators of each secret 30, 7 and 1 days before it expires and when it did,
 * once each, and takes back those of a secret with another date, without one, or of a deleted connection.
 */
export const notifySecrets = async (needs: Needs, secrets: Expiry[]): Promise<void> => {
  const rows = await needs.db
    .selectFrom('avisoSistema')
    .selectAll()
    .where('causa', 'like', 'segredo:%')
    .execute()
  const gone = new Map(rows.map(({ causa, ocorrencia }) => [causa, ocorrencia]))
  for (const secret of secrets) {
    const stage = stageOf(secret, needs.now())
    if (stage === undefined) continue
    const causa = `segredo:${secret.source}`
    // A person enters only the day that Microsoft Graph returns with a time.
    const day = secret.expiresAt && dayOf(secret.expiresAt)
    const [toldDay, toldStage] = gone.get(causa)?.split('#') ?? []
    gone.delete(causa)
    // A node whose clock is late must not tell of an earlier stage again.
    if (toldDay === day && Number(toldStage) <= stage) continue
    const told = { subject: `sistema:${causa}`, occurrence: `${day}#${stage}` }
    await inTransaction(needs.db, async (tx) => {
      // Versions before 0.3.0 notified of the same secret under this subject.
      await takeBack(tx, `sistema:validade:${secret.source}`)
      await notify(tx, { ...noticeOf(needs, secret, stage), ...told }, needs.now())
    })
  }
  for (const causa of gone.keys()) await takeBack(needs.db, `sistema:${causa}`)
}

const noticeOf = (services: Needs, { name, path, source, expiresAt }: Expiry, stage: Stage) => {
  const where = path ? 'no cadastro do Powerbi' : `em ${source}`
  const verb = stage === 0 ? 'venceu' : 'vence'
  const texto = `O segredo ${verb} em ${expiresAt ? dayText(expiresAt) : ''}. Crie outro no provedor e troque-o ${where}.`
  const rota = path ?? '/situacao'
  const link = `${services.config.publicUrl}${rota}`
  return {
    audience: 'administradores',
    kind: 'sistema_com_problema',
    bell: { titulo: `Segredo: ${name}`, texto, rota },
    mail: {
      services,
      kind: secretExpiresMail,
      message: (nome: string) => ({ mail: { nome, segredo: name, texto, link } }),
    },
  } as const
}
