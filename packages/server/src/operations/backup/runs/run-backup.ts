import { mkdirSync, rmSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runContained } from '@bi-manager/telemetry/run-contained'
import { sql } from 'kysely'
import { z } from 'zod'
import { CommandError } from '../../../platform/commands/command.ts'
import type { BackupSettings } from '../../../platform/config/backup-settings.ts'
import type { Services } from '../../../platform/http/services.ts'
import { readInstallation } from '../../../platform/installation/test-environment.ts'
import { notify, takeBack } from '../../../platform/notifications/notify.ts'
import type { MadeBackup } from '../archive/make-backup.ts'
import { assertFree, MB, reasonOf } from '../contents/backup-failure.ts'
import { listDataFiles } from '../contents/data-files.ts'
import { recordReportsRead } from '../contents/report-files.ts'
import { recordBackup } from '../contents/write-backup.ts'
import { nameOf } from '../targets/backup-target.ts'
import { openTarget } from '../targets/open-target.ts'
import type { BackupReply } from './backup-process.ts'
import { deleteRun, endRun, touchRun } from './backup-runs.ts'

type Needs = Pick<Services, 'config' | 'db' | 'secrets' | 'now'>

interface Log {
  info: (fields: object, message: string) => void
  error: (fields: object, message: string) => void
}

const program = fileURLToPath(new URL('./backup-process.ts', import.meta.url))
const touchEvery = 60_000
/** Subject of the notification: no other is written while one is unread. */
const subject = 'copia'

/**
 * Makes the backup of a started run (`beginRun`), and records the result in the table of runs, the
 * audit trail and the log; a failure, or a copy without the local report service, also notifies
 * every ADMIN.
 * @param signal stops the backup; its run is deleted, so that it is due again at the next start
 * @returns the backup; undefined when it failed
 */
export const runBackup = async (
  { config, db, secrets, now }: Needs,
  { id, backup, log, signal }: { id: number; backup: BackupSettings; log: Log; signal?: AbortSignal },
): Promise<(MadeBackup & { name: string }) | undefined> => {
  const touching = setInterval(() => void touchRun(db, id).catch(() => {}), touchEvery)
  const target = openTarget(backup.place)
  const workFolder = join(config.dataDir, 'backup-work')
  let name: string | undefined
  try {
    await assertRoom({ config, db }, backup)
    rmSync(workFolder, { recursive: true, force: true })
    mkdirSync(workFolder, { recursive: true, mode: 0o700 })
    const { id: installation } = await readInstallation(db)
    name = nameOf(installation, now())
    const sourceDir = join(workFolder, 'source')
    await db.snapshot?.(join(sourceDir, 'database'))
    await recordReportsRead(db, config, secrets)
    const { appSecret, dataDir, databaseUrl, localServiceFile, s3, bi, outbound } = config
    const jobConfig = { appSecret, dataDir, databaseUrl, localServiceFile, s3, bi, backup }
    const job = { config: jobConfig, name, workFolder, sourceDir, outbound }
    const made = await inProcess(job, signal)
    const { bytes, sha256, verified, notice, incomplete, relatorios } = made
    const written = { arquivo: name, bytes, sha256, verificada: verified, aviso: notice }
    await endRun(
      db,
      id,
      {
        ...written,
        ...(incomplete && { resultado: 'falhou', erro: `${incomplete} O resto está em ${name}.` }),
      },
      now(),
    )
    await recordBackup(db, secrets, made)
    const fields = { name, place: target.place, bytes, verified, notice, relatorios }
    if (incomplete) {
      log.error({ ...fields, erro: incomplete }, 'a backup lacks the local report service')
      await notifyFailure({ db, now }, incomplete)
    } else {
      await takeBack(db, subject)
      log.info(fields, 'a backup was made')
    }
    return { ...made, name }
  } catch (err) {
    // The process may have ended without removing the copy.
    if (name) await target.remove(name).catch(() => {})
    if (signal?.aborted) {
      await deleteRun(db, id)
      log.info({ place: target.place }, 'the stop of the portal interrupted a backup')
      return undefined
    }
    const erro = reasonOf(err)
    await endRun(db, id, { resultado: 'falhou', erro }, now())
    log.error({ err, place: target.place, erro }, 'a backup failed')
    await notifyFailure({ db, now }, erro)
    return undefined
  } finally {
    clearInterval(touching)
    rmSync(workFolder, { recursive: true, force: true })
  }
}

/** Notifies every ADMIN once, until the notification is read or a backup is made. */
export const notifyFailure = ({ db, now }: Pick<Needs, 'db' | 'now'>, erro: string): Promise<void> =>
  notify(
    db,
    {
      audience: 'administradores',
      kind: 'copia_falhou',
      subject,
      bell: {
        titulo: 'A cópia de segurança falhou',
        texto: `${erro} O portal tenta de novo em uma hora, até três vezes.`,
      },
    },
    now(),
  )

const inProcess = async (job: object, signal: AbortSignal | undefined): Promise<MadeBackup> => {
  const answer = z.custom<BackupReply>()
  const reply = await runContained(program, job, { answer, containment: 'none', signal })
  if ('made' in reply) return reply.made
  throw Object.assign(new CommandError(reply.failure), { stack: reply.stack })
}

/** Bytes of an empty scratch database. */
const scratchBytes = 100 * MB

/** @throws CommandError when a disk has too little space for the backup */
const assertRoom = async (
  { config, db }: Pick<Needs, 'config' | 'db'>,
  { place, verify }: BackupSettings,
): Promise<void> => {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes`.execute(db)
  const database = rows[0]?.bytes ?? 0
  // The tables, the snapshot of the embedded database, and the scratch database.
  const times = 1 + (config.databaseUrl ? 0 : 1) + (verify ? 1 : 0)
  const { bavail, bsize } = await statfs(config.dataDir)
  const reserve = config.minFreeMegabytes * MB
  assertFree(config.dataDir, times * database + (verify ? scratchBytes : 0) + reserve, bavail * bsize)
  const free = await openTarget(place).freeBytes()
  if (free === undefined) return
  const files = listDataFiles(config.dataDir).map((path) => sizeOf(join(config.dataDir, path)))
  const total = files.reduce((sum, bytes) => sum + bytes, database)
  assertFree(openTarget(place).place, total, free)
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
