import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../lib/problem.ts'
import { isConnectionLost } from '../drivers/lost-connection.ts'
import { isUnwritable } from '../drivers/unwritable.ts'

/** Milliseconds between two attempts. */
const PAUSE_MS = 500

/** Milliseconds for which a write is repeated. */
const MAX_MS = 30_000

/**
 * Repeats a write that says what has already happened outside the database, such as an accepted
 * call, while the database refuses it for a cause that passes. The write may run twice.
 * @throws the last error, after `maxMs` or when it is stopped
 */
export const insistOnWrite = async <T>(
  write: () => Promise<T>,
  { maxMs = MAX_MS, stopped }: { maxMs?: number; stopped?: AbortSignal | undefined } = {},
): Promise<T> => {
  const end = performance.now() + maxMs
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isPassing(error) || stopped?.aborted || performance.now() + PAUSE_MS > end) throw error
      await setTimeout(PAUSE_MS)
    }
  }
}

/** Whether the same write may succeed in a moment. */
const isPassing = (error: unknown): boolean =>
  isUnwritable(error) || isConnectionLost(error) || (error instanceof Problem && error.status === 503)
