import type { FastifyBaseLogger } from 'fastify'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import type { Services } from '../../platform/http/services.ts'
import { readInstallation } from '../../platform/installation/test-environment.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { faultSentence } from '../../platform/lib/connection-fault.ts'
import { dayText } from '../../platform/lib/local-time.ts'
import { failureSentence } from '../../platform/mail/mail-failure.ts'
import { notify, takeBack } from '../../platform/notifications/notify.ts'
import { lastBackup } from '../backup/runs/backup-runs.ts'
import { findNewestBackup, isBackupOverdue } from './backup-item.ts'
import { createExpiryDates, type Expiry, type ExpiryDates } from './expiry-dates.ts'
import { isExpiring } from './expiry-items.ts'
import { spanText } from './item.ts'
import { mailFailsAfter } from './mail-item.ts'
import { clockCauses } from './node-clock.ts'
import { notifySecrets } from './notify-secrets.ts'
import { findMailServer } from './system-status.repository.ts'

type Needs = Pick<Services, 'config' | 'db' | 'now' | 'secrets'>
type Log = Pick<FastifyBaseLogger, 'error' | 'warn'>

/** A problem that administrators are notified of once, until it ends. */
interface Cause {
  causa: string
  /** Undefined while there is no problem. Another occurrence is notified again. */
  active: { ocorrencia: string; titulo: string; texto: string } | undefined
}

const everyMs = 5 * 60_000

/** Notifies the administrators of problems, in the background. */
export const startSystemWatch = (services: Needs, log: Log): { stop: () => Promise<void> } => {
  const expiryDates = createExpiryDates(services)
  const logClock = createClockLog(log)
  const look = () => Promise.all([notifyClock(services, logClock), notifyCauses(services, expiryDates)])
  return startRepeating({ name: 'check for system problems', everyMs, log, first: look }, look)
}

/** Notifies of this node's clock when it differs from the database's. */
export const notifyClock = async (services: Needs, logClock: (own: Cause) => void): Promise<void> => {
  const { own, stopped } = await clockCauses(services)
  logClock(own)
  for (const cause of [own, ...stopped]) await notifyCause(services, cause)
}

/** Returns a function that logs each change of this node's clock once. */
export const createClockLog = (log: Pick<Log, 'warn'>): ((own: Cause) => void) => {
  let logged: string | undefined
  return ({ active }) => {
    if (active && active.ocorrencia !== logged) log.warn(active.texto)
    logged = active?.ocorrencia
  }
}

/** Inserts one notification per new cause, and settles those of causes that have ended. */
export const notifyCauses = async (services: Needs, expiryDates: ExpiryDates): Promise<void> => {
  const certificates = await expiryDates.certificates()
  const causes = [
    await mailCause(services),
    await backupCause(services),
    ...certificates.flatMap((certificate) => certificateCause(certificate, services.now())),
  ]
  for (const cause of causes) await notifyCause(services, cause)
  await notifySecrets(services, await expiryDates.secrets())
}

const notifyCause = ({ db, now }: Needs, { causa, active }: Cause): Promise<void> =>
  inTransaction(db, async (tx) => {
    const subject = `sistema:${causa}`
    if (!active) return takeBack(tx, subject)
    const { ocorrencia: occurrence, ...words } = active
    const bell = { ...words, rota: '/situacao' }
    const notice = { audience: 'administradores', subject, occurrence, bell } as const
    await notify(tx, { ...notice, kind: 'sistema_com_problema' }, now())
  })

const mailCause = async ({ db, now }: Needs): Promise<Cause> => {
  const server = await findMailServer(db)
  const { falhandoDesde: since, motivo, codigo } = server ?? {}
  const { ensaio } = await readInstallation(db)
  const isFailing = since && motivo && !ensaio && now().getTime() - since.getTime() >= mailFailsAfter
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
  const { ensaio } = await readInstallation(services.db)
  const isOverdue = newest && !ensaio && isBackupOverdue(services, newest)
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
const certificateCause = (certificate: Expiry, now: Date): Cause[] => {
  const { name, source, place, expiresAt, fault } = certificate
  if (!expiresAt) return []
  const causa = `validade:${source}`
  const titulo = `Certificado: ${name}`
  const isOver = expiresAt <= now
  if (fault && !isOver) {
    const texto = `${faultSentence(fault, `de ${place}`)}.`
    return [{ causa, active: { ocorrencia: fault, titulo, texto } }]
  }
  const active = {
    ocorrencia: `${expiresAt.toISOString()}${isOver ? ' vencido' : ''}`,
    titulo,
    texto: `O certificado de ${place} ${isOver ? 'venceu' : 'vence'} em ${dayText(expiresAt)}. Renove-o.`,
  }
  return [{ causa, active: isExpiring(certificate, now) ? active : undefined }]
}
