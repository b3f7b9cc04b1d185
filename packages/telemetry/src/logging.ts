import { hostname } from 'node:os'
import { inspect } from 'node:util'
import type { FastifyBaseLogger, FastifyServerOptions } from 'fastify'
import pino, { type DestinationStream, type LoggerOptions } from 'pino'
import { logOutagesOnce } from './repeated-failures.ts'

export type LogFormat = 'json' | 'texto'
export const logFormats = ['json', 'texto'] as const

/**
 * Reads LOG_FORMAT. JSON is the default, for log collectors; a terminal gets text. An invalid value
 * counts as absent, because the settings report it.
 */
export const logFormatOf = (
  { LOG_FORMAT }: Record<string, string | undefined>,
  isTerminal = process.stdout.isTTY === true,
): LogFormat => logFormats.find((format) => format === LOG_FORMAT?.trim()) ?? (isTerminal ? 'texto' : 'json')

interface LogSettings {
  /** The process that wrote the line. */
  service: string
  level: string
  format: LogFormat
  /** Undefined: standard output. */
  stream?: DestinationStream | undefined
}

type FastifyLogger = Extract<FastifyServerOptions['logger'], object>

/** Returns the value for Fastify's `logger`. Secrets, headers and bodies are never written. */
export const logOptions = ({ service, level, format, stream }: LogSettings): FastifyLogger => {
  const to = stream ?? streamOf(format)
  return { ...pinoOptions(service, level), stream: to } as FastifyLogger
}

/** Creates a logger for events outside of Fastify: start, stop, crash. */
export const createLogger = ({ service, level, format, stream }: LogSettings): FastifyBaseLogger => {
  return pino(pinoOptions(service, level), stream ?? streamOf(format))
}

/** JSON goes to the descriptor: `logConsole` replaces `process.stdout.write`. */
const streamOf = (format: LogFormat): DestinationStream =>
  format === 'texto' ? textStream() : pino.destination({ fd: 1, sync: true })

const pinoOptions = (service: string, level: string): LoggerOptions => ({
  level,
  base: { service, pid: process.pid, host: hostname() },
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  redact: {
    paths: [
      '*.authorization',
      '*.password',
      '*.senha',
      '*.secret',
      '*.segredo',
      '*.token',
      '*.access_token',
      // Some libraries log received headers at level trace.
      '*.headers',
    ],
    censor: '[removido]',
  },
  serializers: { err: describeError },
  hooks: { logMethod: logOutagesOnce() },
})

/** Letters of an error's message: a validation lists every value of an answer that it refuses. */
const MAX_MESSAGE = 10_000

/**
 * Describes an error for the log. Database errors carry the refused values (`detail`, `where`, the
 * message of class 22), so only the fields that name the place are kept.
 */
const describeError = (
  error: unknown,
): { type: string; message: string; stack: string; [field: string]: unknown } => {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' }
  const { name, message, stack = '', cause } = error
  const { code, constraint, table, column, codigo, status } = error as Error & Record<string, unknown>
  const isOfValue = typeof code === 'string' && /^22\w{3}$/.test(code)
  const isLong = message.length > MAX_MESSAGE
  const shown = isOfValue ? '[removido]' : isLong ? `${message.slice(0, MAX_MESSAGE)}…` : message
  return {
    type: name,
    message: shown,
    // The stack begins with the message. A function, because a text may have `$&`.
    stack: stack.replace(message, () => shown),
    ...defined({ code, constraint, table, column, codigo, status }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  }
}

const defined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const levelNames: Record<string, string> = {
  fatal: 'FALHA',
  error: 'ERRO',
  warn: 'AVISO',
  info: 'info',
  debug: 'debug',
  trace: 'trace',
}

/** Writes entries as text: time, level, service, message, other fields, the error, its causes. */
const textStream = (): DestinationStream => ({
  write: (line) => {
    process.stdout.write(`${textOf(line)}\n`)
  },
})

export const textOf = (line: string): string => {
  const { level, time, service, msg, err, pid: _pid, host: _host, ...rest } = JSON.parse(line)
  const at = new Date(time).toLocaleTimeString('pt-BR')
  const fields = Object.keys(rest).length > 0 ? ` ${inspect(rest, { breakLength: Infinity })}` : ''
  return `${at} ${levelNames[level] ?? level} [${service}] ${msg ?? ''}${fields}${err ? `\n${stacksOf(err)}` : ''}`
}

/** Returns the stack of an error that `describeError` described, then those of its causes. */
const stacksOf = ({ stack, message, type, cause }: ReturnType<typeof describeError>): string => {
  const own = stack || message || type
  return cause ? `${own}\ncausa: ${stacksOf(cause as ReturnType<typeof describeError>)}` : own
}
