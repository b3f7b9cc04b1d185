import type { LoggerOptions } from 'pino'

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

/** A database that is away, locked, full or read-only fails every call and every background job alike. */
const OUTAGE = /^(08\w{3}|25006|53\w{3}|55P03|57\w{3})$/

const minuteMs = 60_000

interface Minute {
  startedAt: number
  leftOut: number
}

/**
 * Returns the hook that logs an outage of the database once per kind and minute. The next line of the
 * kind says how many were left out.
 */
export const logOutagesOnce = (): LogMethod => {
  const minutes = new Map<string, Minute>()
  return function (args, method) {
    const [fields, message] = args as [unknown, unknown]
    const code = outageOf(fields)
    if (code === undefined) return method.apply(this, args)
    const kind = `${code} ${String(message)}`
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

/** Returns PostgreSQL's code of an outage, of the logged error or of one of its causes. */
const outageOf = (fields: unknown): string | undefined => {
  let error = (fields as { err?: unknown } | null)?.err
  for (let depth = 0; error instanceof Error && depth < 5; depth += 1) {
    const { code } = error as { code?: unknown }
    if (typeof code === 'string' && OUTAGE.test(code)) return code
    error = error.cause
  }
  return undefined
}
