import type { FastifyBaseLogger } from 'fastify'
import { discardFile, leftBefore, pendingFiles } from '../clinical/pending-files.ts'
import type { Services } from '../http/services.ts'

const hour = 3_600_000

type Tidied = Pick<Services, 'config' | 'db' | 'files' | 'now'>

/**
 * Deletes files of unfinished uploads, at start-up and every hour. On the embedded database no
 * other server can be uploading at start-up; on PostgreSQL only old files are deleted. Call it
 * before uploads are accepted.
 */
export const startFileTidying = async (services: Tidied, log: FastifyBaseLogger) => {
  const { config, db, now } = services
  const left = await pendingFiles(db, config.databaseUrl ? leftBefore(now()) : undefined)
  // Start-up does not wait for the store: without it, everything but attachment files works.
  let running = checkStore(services, log).then(() => discardAll(services, left, log))
  const timer = setInterval(() => {
    running = running.then(() => tidyFiles(services, log))
  }, hour)
  return {
    /** Resolves when no tidying runs any more. */
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}

/** Deletes pending files that are too old to be claimed. */
export const tidyFiles = async (services: Tidied, log: FastifyBaseLogger): Promise<void> => {
  try {
    await discardAll(services, await pendingFiles(services.db, leftBefore(services.now())), log)
  } catch (err) {
    log.error({ err }, 'leftover files could not be looked for')
  }
}

const checkStore = async ({ files }: Tidied, log: FastifyBaseLogger): Promise<void> => {
  await files.check().catch((err: unknown) => {
    log.warn(
      { err: causeOf(err) },
      'the store of attachments cannot be used: files can neither be sent nor opened',
    )
  })
}

const discardAll = async ({ db, files }: Tidied, names: string[], log: FastifyBaseLogger): Promise<void> => {
  for (const name of names) {
    try {
      await discardFile(db, files, name)
    } catch (err) {
      // The other deletions would fail too; the names stay for the next run.
      log.warn({ err: causeOf(err), left: names.length }, 'leftover files could not be deleted')
      return
    }
  }
}

const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause) || error
