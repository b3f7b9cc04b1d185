import type pg from 'pg'

/** Milliseconds without an answer after which other connections are doubted too. */
const doubtedAfter = 5_000
/** Milliseconds that a doubted connection has to answer. */
const probeWithin = 1_000
/** Milliseconds beyond its own limit in which the server reports a statement that took too long. */
const graceMs = 10_000

const LIFTS_LIMIT = /^\s*set local statement_timeout = 0/i
const COMMITS = /^\s*commit\b/i

interface Statement {
  text: string
  values: unknown[]
  name?: string | undefined
}

/**
 * A machine that vanishes closes no connection: what was sent to it would wait for a quarter of an
 * hour. A statement whose answer does not come within the server's limit counts as lost. Once one
 * has waited for seconds, connections that have not answered since are tried before they are used.
 * @param limitMs the server's `statement_timeout`
 */
export const createSilenceWatch = (limitMs: number) => {
  const answeredAt = new WeakMap<pg.PoolClient, number>()
  const unlimited = new WeakSet<pg.PoolClient>()
  let doubtedSince = Number.NEGATIVE_INFINITY

  const send = async (client: pg.PoolClient, statement: Statement): Promise<unknown> => {
    const sentAt = performance.now()
    const doubt = setTimeout(() => {
      doubtedSince = Math.max(doubtedSince, sentAt)
    }, doubtedAfter)
    if (LIFTS_LIMIT.test(statement.text)) unlimited.add(client)
    // A commit may wait for a standby, which the server does not limit either.
    const isLimited = !unlimited.has(client) && !COMMITS.test(statement.text)
    try {
      // pg reads the limit of a single statement, which its types do not know.
      const limited = { ...statement, ...(isLimited ? { query_timeout: limitMs + graceMs } : {}) }
      const answer = await client.query(limited)
      answeredAt.set(client, performance.now())
      return answer
    } finally {
      clearTimeout(doubt)
    }
  }

  return {
    send,
    /** Call it for each connection when it is opened, and again when it is given back. */
    register: (client: pg.PoolClient): void => {
      unlimited.delete(client)
      if (!answeredAt.has(client)) answeredAt.set(client, performance.now())
    },
    isDoubted: (client: pg.PoolClient): boolean => (answeredAt.get(client) ?? 0) < doubtedSince,
    answers: async (client: pg.PoolClient): Promise<boolean> => {
      try {
        const probe = { text: 'select 1', query_timeout: probeWithin }
        await client.query(probe)
        answeredAt.set(client, performance.now())
        return true
      } catch {
        return false
      }
    },
  }
}

export type SilenceWatch = ReturnType<typeof createSilenceWatch>

/** pg's own words for a statement that was not answered in time. */
export const isUnanswered = (error: unknown): boolean =>
  (error as { message?: unknown } | null)?.message === 'Query read timeout'
