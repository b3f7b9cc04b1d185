/**
 * Creates a keyed semaphore: at most `atOnce` tasks of a key run at a time, the others in order of
 * arrival; keys do not wait for each other.
 */
export const createTurns = (atOnce: number) => {
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>()

  const take = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] }
    lanes.set(key, lane)
    if (lane.running >= atOnce) await new Promise<void>((resolve) => lane.waiting.push(resolve))
    else lane.running += 1
    try {
      return await work()
    } finally {
      // Passes the slot to the next task, or frees it.
      const next = lane.waiting.shift()
      if (next) next()
      else if (--lane.running === 0) lanes.delete(key)
    }
  }
  return { take }
}
