import type { FastifyBaseLogger } from 'fastify'
import type { Services } from '../http/services.ts'
import { discardFile, leftBefore, pendingFiles } from './pending-files.ts'

const hour = 3_600_000

type Tidied = Pick<Services, 'config' | 'db' | 'files' | 'now'>

/**
 * Deletes what uploads that never ended have left in the store: at the start, and every hour. Alone with its database, a
 * starting server knows that nobody is uploading; others on the same one may be, so that only what is old is left over. To be
 * called before anything can be uploaded.
 */
export const startFileTidying = async (services: Tidied, log: FastifyBaseLogger) => {
  const { config, db, now } = services
  const left = await pendingFiles(db, config.databaseUrl ? leftBefore(now()) : undefined)
  // Nobody waits for the store: without it the portal works, but for the attachments' files.
  let running = checkStore(services, log).then(() => discardAll(services, left, log))
  const timer = setInterval(() => {
    running = running.then(() => tidyFiles(services, log))
  }, hour)
  return {
    /** Resolves when nothing of it runs any more. */
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}

/** Deletes what has been on its way for so long that it never arrives. */
export const tidyFiles = async (services: Tidied, log: FastifyBaseLogger): Promise<void> => {
  try {
    await discardAll(services, await pendingFiles(services.db, leftBefore(services.now())), log)
  } catch (err) {
    log.error({ err }, 'looking for files left over failed')
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
      // The others would meet the same: the names stay for the next time.
      log.warn({ err: causeOf(err), left: names.length }, 'files left over could not be deleted')
      return
    }
  }
}

const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause) || error
