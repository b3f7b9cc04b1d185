import type { FastifyBaseLogger } from 'fastify'
import { lastBackup } from '../../backup/backup-runs.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import type { Services } from '../../http/services.ts'
import { failureSentence } from '../../mail/mail-failure.ts'
import { notify } from '../../notifications/notify.ts'
import { markNotificationsResolved } from '../../notifications/settle.ts'
import { findNewestBackup, isBackupOverdue } from './backup-item.ts'
import { createExpiryDates, type Expiry, type ExpiryDates } from './expiry-dates.ts'
import { isExpiring } from './expiry-items.ts'
import { dayText, spanText } from './item.ts'
import { mailFailsAfter } from './mail-item.ts'
import { findMailServer, isTestEnvironment } from './system-status.repository.ts'

type Needs = Pick<Services, 'config' | 'db' | 'now'>

/** A problem that administrators are notified of once, until it ends. */
interface Cause {
  causa: string
  /** Undefined while there is no problem. Another occurrence is notified again. */
  active: { ocorrencia: string; titulo: string; texto: string } | undefined
}

const everyMs = 5 * 60_000

/** Notifies the administrators of problems, in the background. */
export const startSystemWatch = (
  services: Needs,
  log: Pick<FastifyBaseLogger, 'error'>,
): { stop: () => Promise<void> } => {
  const expiryDates = createExpiryDates(services)
  let looking = Promise.resolve()
  const look = () => {
    looking = looking
      .then(() => notifyCauses(services, expiryDates))
      .catch((err: unknown) => log.error({ err }, 'the check for system problems failed'))
  }
  const timer = setInterval(look, everyMs)
  look()
  return {
    stop: async () => {
      clearInterval(timer)
      await looking
    },
  }
}

/** Inserts one notification per new cause, and settles those of causes that have ended. */
export const notifyCauses = async (services: Needs, expiryDates: ExpiryDates): Promise<void> => {
  const secrets = await expiryDates.secrets()
  const expiries = [...(await expiryDates.certificates()), ...secrets]
  const causes = [
    await mailCause(services),
    await backupCause(services),
    ...expiries.flatMap((expiry) => expiryCause(expiry, services.now())),
    ...(await removedSecrets(services, secrets)),
  ]
  for (const cause of causes) await tellOf(services, cause)
}

/** Secrets of deleted connections, and those whose date was removed. */
const removedSecrets = async ({ db }: Needs, secrets: Expiry[]): Promise<Cause[]> => {
  const rows = await db
    .selectFrom('avisoSistema')
    .select('causa')
    .where('causa', 'like', 'validade:powerbi:%')
    .execute()
  const known = new Set(secrets.map(({ source }) => expiryKey(source)))
  return rows.filter(({ causa }) => !known.has(causa)).map(({ causa }) => ({ causa, active: undefined }))
}

const expiryKey = (source: string) => `validade:${source}`

const tellOf = ({ db, now }: Needs, { causa, active }: Cause): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (!active) {
      const { numDeletedRows } = await tx
        .deleteFrom('avisoSistema')
        .where('causa', '=', causa)
        .executeTakeFirst()
      if (numDeletedRows > 0n) await markNotificationsResolved(tx, subjectOf(causa), now())
      return
    }
    const { ocorrencia, titulo, texto } = active
    // Of several processes, the one whose statement writes the row sends the notification.
    const isNew = await tx
      .insertInto('avisoSistema')
      .values({ causa, ocorrencia, em: now() })
      .onConflict((conflict) =>
        conflict
          .column('causa')
          .doUpdateSet({ ocorrencia, em: now() })
          .where('avisoSistema.ocorrencia', '<>', ocorrencia),
      )
      .returning('causa')
      .executeTakeFirst()
    if (!isNew) return
    await markNotificationsResolved(tx, subjectOf(causa), now())
    const draft = { tipo: 'sistema_com_problema', titulo, texto, rota: '/situacao' } as const
    await notify(tx, 'administradores', { ...draft, assunto: subjectOf(causa) }, now())
  })

const subjectOf = (causa: string) => `sistema:${causa}`

const mailCause = async ({ db, now }: Needs): Promise<Cause> => {
  const server = await findMailServer(db)
  const { falhandoDesde: since, motivo, codigo } = server ?? {}
  const isFailing =
    since && motivo && !(await isTestEnvironment(db)) && now().getTime() - since.getTime() >= mailFailsAfter
  return {
    causa: 'email',
    active: isFailing
      ? {
          ocorrencia: since.toISOString(),
          titulo: 'Os e-mails não estão saindo',
          texto: `Nenhum e-mail sai há ${spanText(now().getTime() - since.getTime())}. ${failureSentence({ motivo, codigo: codigo ?? '' })}`,
        }
      : undefined,
  }
}

/** A failed backup is notified by the process that made it. */
const backupCause = async (services: Needs): Promise<Cause> => {
  const newest = await findNewestBackup(services, await lastBackup(services.db))
  const isOverdue = newest && !(await isTestEnvironment(services.db)) && isBackupOverdue(services, newest)
  return {
    causa: 'copia_seguranca',
    active: isOverdue
      ? {
          ocorrencia: newest.toISOString(),
          titulo: 'Cópia de segurança atrasada',
          texto: `A última cópia de segurança é de ${dayText(newest)}. Faça outra e confira o agendamento.`,
        }
      : undefined,
  }
}

/** A certificate that could not be read keeps its notification. */
const expiryCause = (expiry: Expiry, now: Date): Cause[] => {
  const { name, kind, source, place, expiresAt } = expiry
  if (!expiresAt) return []
  const day = dayText(expiresAt)
  const isOver = expiresAt <= now
  const titulo = kind === 'certificate' ? `Certificado: ${name}` : `Segredo: ${name}`
  const what = kind === 'certificate' ? `O certificado de ${place}` : 'O segredo'
  const act = kind === 'certificate' ? 'Renove-o.' : 'Crie outro no provedor e troque-o no portal.'
  const active = {
    ocorrencia: `${expiresAt.toISOString()}${isOver ? ' vencido' : ''}`,
    titulo,
    texto: `${what} ${isOver ? 'venceu' : 'vence'} em ${day}. ${act}`,
  }
  return [{ causa: expiryKey(source), active: isExpiring(expiry, now) ? active : undefined }]
}
