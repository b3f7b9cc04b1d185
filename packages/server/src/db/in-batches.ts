import { setImmediate as endOfTurn } from 'node:timers/promises'

interface Waiting<K, V> {
  key: K
  resolve: (value: V) => void
  reject: (error: unknown) => void
}

/** Keys of one batch: beyond that, statements grow longer than what they save. */
const LARGEST = Number(process.env.LARGEST ?? 32)
const AT_ONCE = Number(process.env.AT_ONCE ?? 4)

/**
 * One statement for all calls that came in one turn of the event loop, or while the statement before was under way, instead of a
 * statement each; a lone call waits for nothing else. An answer is never older than its call: a batch begins after the last of
 * its calls has come. When the database refuses a value of a batch, its calls are made one by one, so that nobody fails for
 * somebody else's key.
 * @param load answers the keys in their order
 */
export const inBatches = <K, V>(load: (keys: K[]) => Promise<V[]>): ((key: K) => Promise<V>) => {
  const waiting: Waiting<K, V>[] = []
  let underWay = 0
  let isTurnEnding = false

  /** Sends what waits: a whole batch at once, less once nothing is under way and the turn has ended. */
  const send = (): void => {
    while (waiting.length >= LARGEST && underWay < AT_ONCE) void load1(waiting.splice(0, LARGEST))
    if (waiting.length === 0 || underWay > 0 || isTurnEnding) return
    isTurnEnding = true
    // Calls that one answer of the database has let go on come one right after the other.
    void endOfTurn().then(() => {
      isTurnEnding = false
      if (waiting.length > 0 && underWay === 0) void load1(waiting.splice(0, LARGEST))
    })
  }

  const load1 = async (batch: Waiting<K, V>[]): Promise<void> => {
    underWay += 1
    try {
      const values = await load(batch.map(({ key }) => key))
      for (const [index, { resolve }] of batch.entries()) resolve(values[index] as V)
    } catch (error) {
      if (batch.length === 1 || !isOfAValue(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await alone(one)
    }
    underWay -= 1
    send()
  }

  const alone = async ({ key, resolve, reject }: Waiting<K, V>): Promise<void> => {
    try {
      resolve((await load([key]))[0] as V)
    } catch (error) {
      reject(error)
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      send()
    })
}

/** Classes 22 and 23: a value does not fit. All others (the connection, a lock, a timeout) would come again for each call. */
const isOfAValue = (error: unknown): boolean => /^2[23]/.test((error as { code?: string } | null)?.code ?? '')
