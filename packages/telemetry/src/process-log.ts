import type { FastifyBaseLogger } from 'fastify'

/**
 * Logs warnings, and the error that ends the process, which Node would print as text. An uncaught
 * error leaves the process in an unknown state, so it exits with 1.
 */
export const logCrashes = (log: FastifyBaseLogger): void => {
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'crashed')
    process.exit(1)
  })
  // Removes Node's listener, which prints warnings.
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => log.warn({ name }, message))
}
