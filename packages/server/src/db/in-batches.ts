import { setImmediate as endOfTurn } from 'node:timers/promises'

interface Waiting<K, V> {
  key: K
  resolve: (value: V) => void
  reject: (error: unknown) => void
}

interface Sizes {
  /** Keys of one batch: beyond that, statements grow longer than what they save. */
  largest?: number
  /** Whole batches that may be under way together, so that neither this thread nor the database waits for the other. */
  atOnce?: number
}

/** Milliseconds after which those that wait no longer wait for a statement, whose connection may be dead. */
const patience = 3_000

/**
 * One statement for all calls that came in one turn of the event loop, or while the statement before was under way, instead of a
 * statement each; a lone call waits for nothing else. An answer is never older than its call: a batch begins after the last of
 * its calls has come. When the database refuses a value of a batch, or ends it for a deadlock, its calls are made one by
 * one, so that nobody fails for somebody else's key.
 * @param load answers the keys in their order
 */
export const inBatches = <K, V>(
  load: (keys: K[]) => Promise<V[]>,
  { largest = 200, atOnce = 1 }: Sizes = {},
): ((key: K) => Promise<V>) => {
  const waiting: Waiting<K, V>[] = []
  let underWay = 0
  let isTurnEnding = false

  const send = (): void => {
    while (waiting.length >= largest && underWay < atOnce) void run(waiting.splice(0, largest))
    if (waiting.length > 0 && underWay === 0 && !isTurnEnding) void sendAfterTurn()
  }

  /** Calls that one answer of the database has let go on come one right after the other. */
  const sendAfterTurn = async (): Promise<void> => {
    isTurnEnding = true
    await endOfTurn()
    isTurnEnding = false
    if (waiting.length > 0 && underWay === 0) void run(waiting.splice(0, largest))
  }

  const run = async (batch: Waiting<K, V>[]): Promise<void> => {
    underWay += 1
    let isWaitedFor = true
    const letOthersGo = () => {
      if (!isWaitedFor) return
      isWaitedFor = false
      underWay -= 1
      send()
    }
    const late = setTimeout(letOthersGo, patience)
    try {
      const values = await load(batch.map(({ key }) => key))
      for (const [index, { resolve }] of batch.entries()) resolve(values[index] as V)
    } catch (error) {
      if (batch.length === 1 || !isOfOne(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await alone(one)
    }
    clearTimeout(late)
    letOthersGo()
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

/**
 * Classes 22 and 23: a value does not fit; 40: others took the rows of several in another order. Anything else (the connection, a
 * timeout) would come again for each call.
 */
const isOfOne = (error: unknown): boolean =>
  /^(2[23]|40)/.test((error as { code?: string } | null)?.code ?? '')
