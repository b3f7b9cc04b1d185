import { setImmediate as endOfTurn } from 'node:timers/promises'
import { STATEMENT_PATIENCE_MS } from './in-batches.ts'

/**
 * Combines reads that ask the same. Calls that arrive before a read starts share it; those that
 * arrive while it runs share the next one. So no answer is older than its call.
 * @param read returns what all callers of one read get: none of them may change it
 */
export const shareReads = <K, V>(read: (asked: K) => Promise<V>): ((asked: K) => Promise<V>) => {
  const waiting = new Map<string, Promise<V>>()
  const running = new Map<string, Promise<unknown>>()

  const readAfter = async (before: Promise<unknown> | undefined, key: string, asked: K): Promise<V> => {
    await (before ?? endOfTurn())
    waiting.delete(key)
    const value = read(asked)
    const ended = endOf(value).then(() => {
      if (running.get(key) === ended) running.delete(key)
    })
    running.set(key, ended)
    return value
  }

  return (asked) => {
    const key = JSON.stringify(asked)
    let shared = waiting.get(key)
    if (!shared) {
      shared = readAfter(running.get(key), key, asked)
      waiting.set(key, shared)
    }
    return shared
  }
}

/** Resolves when the read ends, but after STATEMENT_PATIENCE_MS at the latest. */
const endOf = (read: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimeout(resolve, STATEMENT_PATIENCE_MS)
    const settle = () => {
      clearTimeout(late)
      resolve()
    }
    read.then(settle, settle)
  })
