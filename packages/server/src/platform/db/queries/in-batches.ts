import { setImmediate as endOfTurn } from 'node:timers/promises'

interface Waiting<K, V> {
  key: K
  resolve: (value: V) => void
  reject: (error: unknown) => void
}

interface Sizes {
  /** Keys per batch; larger statements cost more than they save. */
  largest?: number
  /** Full batches that run concurrently, so that this thread and the database both stay busy. */
  concurrent?: number
}

/** Milliseconds that callers wait for a statement, whose connection may be dead. */
export const STATEMENT_PATIENCE_MS = 3_000

/**
 * Combines the calls of one event-loop turn, and those made while a batch runs, into one statement.
 * A batch starts after the last of its calls, so no answer is older than its call. When the
 * database refuses a value of a batch, or ends it for a deadlock, each call is repeated alone, so
 * that no call fails for another's key.
 * @param load answers the keys in their order
 */
export const inBatches = <K, V>(
  load: (keys: K[]) => Promise<V[]>,
  { largest = 200, concurrent = 1 }: Sizes = {},
): ((key: K) => Promise<V>) => {
  const waiting: Waiting<K, V>[] = []
  let underWay = 0
  let isTurnEnding = false

  const send = (): void => {
    while (waiting.length >= largest && underWay < concurrent) void run(waiting.splice(0, largest))
    if (waiting.length > 0 && underWay === 0 && !isTurnEnding) void sendAfterTurn()
  }

  /** The calls that one answer of the database resumes arrive one after another. */
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
    const late = setTimeout(letOthersGo, STATEMENT_PATIENCE_MS)
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
 * Classes 22 and 23: an invalid value; 40: a deadlock or serialisation failure. Any other error
 * (connection, timeout) would recur for each call.
 */
const isOfOne = (error: unknown): boolean =>
  /^(2[23]|40)/.test((error as { code?: string } | null)?.code ?? '')
