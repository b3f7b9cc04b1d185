import type { Origin } from './database.ts'

/** Ends of the process after which a part is refused to an owner. */
const MAX_ENDS = 2
/** Owners to whom a part is refused before it is refused to everybody: one may have caused it. */
const MAX_OWNERS = 2
/** Ends of the process within an hour after which an owner is refused for the rest of it. */
const MAX_ENDS_OF_OWNER = 20
const HOUR_MS = 3_600_000

/**
 * Counts the ends of the process. A reader chooses the filters of a statement, so that one reader
 * alone must not take a visual from all others.
 */
export const createEndCounts = () => {
  const byPart = new WeakMap<object, Map<string, number>>()
  /** Times, in milliseconds since the epoch. */
  const ofOwner = new Map<string, number[]>()
  const recent = (owner: string) => (ofOwner.get(owner) ?? []).filter((time) => Date.now() - time < HOUR_MS)
  return {
    add({ part, owner }: Origin, count: number) {
      const counts = byPart.get(part) ?? new Map<string, number>()
      byPart.set(part, counts.set(owner, (counts.get(owner) ?? 0) + count))
      ofOwner.set(owner, [...recent(owner), ...Array<number>(count).fill(Date.now())])
    },
    isRefused({ part, owner }: Origin): boolean {
      if (recent(owner).length >= MAX_ENDS_OF_OWNER) return true
      const counts = byPart.get(part)
      if (!counts) return false
      const owners = [...counts.values()].filter((count) => count >= MAX_ENDS)
      return (counts.get(owner) ?? 0) >= MAX_ENDS || owners.length >= MAX_OWNERS
    },
  }
}
