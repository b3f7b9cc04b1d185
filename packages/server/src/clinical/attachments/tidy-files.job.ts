import type { FastifyBaseLogger } from 'fastify'
import { deletePendingFile, leftFiles, pendingFiles } from '../../platform/files/pending-files.ts'
import type { Services } from '../../platform/http/services.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'

const hour = 3_600_000

type Tidied = Pick<Services, 'config' | 'db' | 'files'>

/**
 * Deletes files of unfinished uploads, at start-up and every hour. On the embedded database no
 * other server can be uploading at start-up; on PostgreSQL only old files are deleted. Call it
 * before uploads are accepted.
 */
export const startFileTidying = async (services: Tidied, log: FastifyBaseLogger) => {
  const { config, db } = services
  const leftovers = await (config.databaseUrl ? leftFiles(db) : pendingFiles(db))
  // Start-up does not wait for the store: without it, everything but attachment files works.
  const atStart = checkStore(services, log).then(() => deleteAll(services, leftovers, log))
  const name = 'search for leftover files'
  return startRepeating({ name, everyMs: hour, log, first: () => atStart }, () => tidyFiles(services, log))
}

/** Deletes files of uploads that are too old to be completed. */
export const tidyFiles = async (services: Tidied, log: FastifyBaseLogger): Promise<void> => {
  await deleteAll(services, await leftFiles(services.db), log)
}

const checkStore = async ({ files }: Tidied, log: FastifyBaseLogger): Promise<void> => {
  await files.check().catch((err: unknown) => {
    log.warn(
      { err: causeOf(err) },
      'the store of attachments cannot be used: files can neither be sent nor opened',
    )
  })
}

const deleteAll = async ({ db, files }: Tidied, names: string[], log: FastifyBaseLogger): Promise<void> => {
  for (const name of names) {
    try {
      await deletePendingFile(db, files, name)
    } catch (err) {
      // The other deletions would fail too; the names stay for the next run.
      log.warn({ err: causeOf(err), left: names.length }, 'leftover files could not be deleted')
      return
    }
  }
}

const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause) || error
