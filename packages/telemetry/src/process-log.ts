import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { StringDecoder } from 'node:string_decoder'
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

/**
 * Makes lines of the log of what this process prints: a library on the console, Node, and the
 * threads, whose output Node writes to these streams. The log itself writes to its descriptor.
 */
export const logConsole = (log: FastifyBaseLogger): void => {
  const levels = { log: 'info', info: 'info', debug: 'debug', warn: 'warn', error: 'error' } as const
  for (const [method, level] of Object.entries(levels)) {
    console[method as keyof typeof levels] = (...said: unknown[]) => log[level](format(...said))
  }
  process.stdout.write = writeLines((line) => log.info(line))
  process.stderr.write = writeLines((line) => log.error(line))
}

/** Prints what a child process writes on its standard error, so that `logConsole` logs it. */
export const printErrorsOf = ({ stderr }: ChildProcess): void => {
  if (stderr) createInterface({ input: stderr }).on('line', (line) => console.error(line))
}

/** Replaces `write` of a stream: passes whole lines, and what is left when the process ends. */
const writeLines = (tell: (line: string) => void): typeof process.stdout.write => {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  process.on('exit', () => rest && tell(rest))
  return (chunk: string | Uint8Array, encoding?: unknown, done?: unknown): boolean => {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim()) tell(line)
    const written = typeof encoding === 'function' ? encoding : done
    if (typeof written === 'function') process.nextTick(written as () => void)
    return true
  }
}
