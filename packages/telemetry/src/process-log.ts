import type { FastifyBaseLogger } from 'fastify'

/**
 * Logs what Node would print as text: warnings, and the error that ends the process.
 * An error that nothing catches leaves the process in an unknown state, so that it ends with 1.
 */
export const logCrashes = (log: FastifyBaseLogger): void => {
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'crashed')
    process.exit(1)
  })
  // Node's own listener prints them.
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => log.warn({ name }, message))
}
