/*
 * Who may use the database, and when. What holds at any time:
 *
 * - A request ends within its budget, counted from when it came: waiting, running and all its tasks together. It also ends
 *   when its caller leaves, or when one of its tasks fails; the tasks that it still has are then dropped, or told to stop.
 * - A slot stays taken until its task has really ended, however soon the request got its answer.
 * - An owner (whoever the rows are shown to) has a few requests under way; the others wait, and beyond the bounds they are
 *   refused. One owner can fill its own queue, never another's.
 * - Owners take free slots in turn, and so do the requests of one owner: a task waits for at most one turn of each of the
 *   others. Who comes goes to the end of the ring.
 * - Who holds slots takes another only while more are free than it holds: of four, one owner alone gets two, and the last
 *   free one goes to somebody who has none.
 */

/** A request that did not end within its budget. */
export class QueryTimeout extends Error {}
/** A request refused at once, because too many wait already. */
export class ServiceBusy extends Error {}
/** A request that nobody waits for any more. */
export class Abandoned extends Error {}

export type Turns = ReturnType<typeof createTurns>
/** Waits for a slot and runs the task in it. The task should end soon after the signal aborts. */
export type Run = <T>(task: (signal: AbortSignal) => Promise<T>) => Promise<T>

type Task = { start: () => Promise<void>; drop: () => void }
type Request = { tasks: Task[]; begin: () => void }
type Owner = { held: number; underWay: Request[]; waiting: Request[] }
type Bounds = { slots: number; budgetMs: number; underWay?: number; ownQueue?: number; wholeQueue?: number }

/**
 * A request is what one visual asks. `underWay`: requests of one owner at a time; `ownQueue`, `wholeQueue`: how many may
 * wait, of one owner and of all.
 */
export function createTurns({ slots, budgetMs, underWay = 2, ownQueue = 200, wholeQueue = 1000 }: Bounds) {
  /** In the order of their turns. Holds those only who have something under way or a slot. */
  const owners = new Map<string, Owner>()
  let free = slots

  /**
   * Does `work`, which reaches the database through `run` only. Throws `ServiceBusy` at once, `QueryTimeout` when the
   * budget is used up, `Abandoned` when `caller` aborts, and whatever `work` throws.
   */
  async function request<T>(name: string, caller: AbortSignal, work: (run: Run) => Promise<T>): Promise<T> {
    if (caller.aborted) throw new Abandoned()
    const owner = owners.get(name) ?? { held: 0, underWay: [], waiting: [] }
    const mayBegin = owner.underWay.length < underWay
    if (!mayBegin && (owner.waiting.length >= ownQueue || waitingInAll() >= wholeQueue))
      throw new ServiceBusy()
    owners.set(name, owner)

    const end = new AbortController()
    const leave = () => end.abort(new Abandoned())
    caller.addEventListener('abort', leave, { once: true })
    const timer = setTimeout(() => end.abort(new QueryTimeout()), budgetMs)
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const mine: Request = { tasks: [], begin }
    end.signal.addEventListener('abort', () => {
      for (const task of mine.tasks.splice(0)) task.drop()
    })
    if (mayBegin) admit(owner, mine)
    else owner.waiting.push(mine)
    try {
      const done = begun.then(() => work(runnerOf(mine, end)))
      return await Promise.race([done, aborted(end.signal)])
    } finally {
      clearTimeout(timer)
      caller.removeEventListener('abort', leave)
      // Whatever is left after an answer or an error, nobody waits for it.
      end.abort(new Abandoned())
      letGo(name, owner, mine)
      hand()
    }
  }

  const waitingInAll = () => [...owners.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)

  function admit(owner: Owner, request: Request) {
    owner.underWay.push(request)
    request.begin()
  }

  function letGo(name: string, owner: Owner, request: Request) {
    owner.waiting = owner.waiting.filter((other) => other !== request)
    owner.underWay = owner.underWay.filter((other) => other !== request)
    const next = owner.underWay.length < underWay ? owner.waiting.shift() : undefined
    if (next) admit(owner, next)
    forgetIdle(name, owner)
  }

  function forgetIdle(name: string, owner: Owner) {
    if (owner.held === 0 && owner.underWay.length === 0) owners.delete(name)
  }

  const runnerOf =
    (request: Request, end: AbortController): Run =>
    (task) =>
      new Promise((resolve, reject) => {
        const { signal } = end
        if (signal.aborted) return reject(signal.reason)
        const start = async () => {
          try {
            resolve(await task(signal))
          } catch (error) {
            reject(error)
            end.abort(error)
          }
        }
        request.tasks.push({ start, drop: () => reject(signal.reason) })
        hand()
      })

  /** Gives the free slots to those whose turn it is. */
  function hand() {
    for (let turn = nextTurn(); turn; turn = nextTurn()) {
      const { name, owner, task } = turn
      // To the end of the ring.
      owners.delete(name)
      owners.set(name, owner)
      free--
      owner.held++
      void task.start().then(() => {
        free++
        owner.held--
        forgetIdle(name, owner)
        hand()
      })
    }
  }

  function nextTurn() {
    for (const [name, owner] of owners) {
      if (free <= owner.held) continue
      const request = owner.underWay.find(({ tasks }) => tasks.length > 0)
      const task = request?.tasks.shift()
      if (!request || !task) continue
      owner.underWay = [...owner.underWay.filter((other) => other !== request), request]
      return { name, owner, task }
    }
    return undefined
  }

  return { request }
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
