import type { LoggerOptions } from 'pino'

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

/**
 * A database that is away, locked, full or read-only fails every call and every background job alike:
 * PostgreSQL's codes, and those of Node for a connection.
 */
const OUTAGE =
  /^(08\w{3}|25006|53\w{3}|55P03|57\w{3}|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** The driver's errors of a lost or unavailable connection, which have no code. */
const LOST_CONNECTION = /^(Connection terminated|timeout exceeded when trying to connect)/

const minuteMs = 60_000

interface Minute {
  startedAt: number
  leftOut: number
}

/**
 * Returns the hook that logs an outage of the database, or of another server, once per kind and
 * minute. The next line of the kind says how many were left out.
 */
export const logOutagesOnce = (): LogMethod => {
  const minutes = new Map<string, Minute>()
  return function (args, method) {
    const [fields, message] = args as [unknown, unknown]
    const outage = outageOf(fields)
    if (outage === undefined) return method.apply(this, args)
    const kind = `${outage} ${String(message)}`
    const now = performance.now()
    const minute = minutes.get(kind)
    if (minute && now - minute.startedAt < minuteMs) {
      minute.leftOut += 1
      return
    }
    minutes.set(kind, { startedAt: now, leftOut: 0 })
    const leftOut = minute?.leftOut ?? 0
    const told = leftOut > 0 ? { ...(fields as object), leftOut } : fields
    method.apply(this, [told, ...args.slice(1)] as typeof args)
  }
}

/** Node's codes, of a connection to the database or to another server. */
const CONNECTION = /^E[A-Z]/

/** Which server a connection error is about. */
interface Peer {
  hostname: string
  address: string
  port: number
}

/** Returns the kind of the outage that the logged error, or one of its causes, reports. */
const outageOf = (fields: unknown): string | undefined => {
  let error = (fields as { err?: unknown } | null)?.err
  for (let depth = 0; error instanceof Error && depth < 5; depth += 1) {
    const { code } = error as NodeJS.ErrnoException
    if (typeof code === 'string' && OUTAGE.test(code)) return kindOf(code, error)
    const [lost] = LOST_CONNECTION.exec(error.message) ?? []
    if (lost) return lost
    error = error.cause
  }
  return undefined
}

/** Returns undefined for a connection error that names no server: it may be about any of them. */
const kindOf = (code: string, error: Error): string | undefined => {
  // A host with two addresses has an error for each.
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  const { hostname, address, port } = first as Partial<Peer>
  const host = hostname ?? address
  return host === undefined && CONNECTION.test(code) ? undefined : [code, host, port].join(' ')
}
