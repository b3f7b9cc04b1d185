import { format } from 'node:util'
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

/** Makes lines of the log of what this process, a library among it, prints on the console. */
export const logConsole = (log: FastifyBaseLogger): void => {
  const levels = { log: 'info', info: 'info', debug: 'debug', warn: 'warn', error: 'error' } as const
  for (const [method, level] of Object.entries(levels)) {
    console[method as keyof typeof levels] = (...said: unknown[]) => log[level](format(...said))
  }
}
