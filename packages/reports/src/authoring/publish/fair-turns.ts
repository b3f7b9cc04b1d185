/** Runs the work of a person in its turn. */
export type InTurn = <T>(person: string, work: () => Promise<T>) => Promise<T>

/**
 * Returns a function that runs the works of one person one after the other, and those of at most
 * `most` people at once: each reads a whole file into memory. People take turns, so that one with
 * slow files keeps the others waiting for at most one of them.
 */
export const createFairTurns = (most: number): InTurn => {
  /** By person; the next one is first. */
  const waiting = new Map<string, (() => Promise<void>)[]>()
  const running = new Set<string>()

  const start = () => {
    for (const [person, works] of waiting) {
      if (running.size >= most) return
      const work = running.has(person) ? undefined : works.shift()
      if (!work) continue
      running.add(person)
      void work().then(() => {
        running.delete(person)
        // Behind the others who wait.
        const left = waiting.get(person) ?? []
        waiting.delete(person)
        if (left.length > 0) waiting.set(person, left)
        start()
      })
    }
  }
  return (person, work) =>
    new Promise((resolve, reject) => {
      // Settled whatever happens: a turn that never ends would keep the person waiting.
      const settle = async () => {
        try {
          resolve(await work())
        } catch (error) {
          reject(error)
        }
      }
      waiting.set(person, [...(waiting.get(person) ?? []), settle])
      start()
    })
}
