/*
 * Who may use the database, and when. What holds at any time:
 *
 * - A request ends within its budget, all its tasks together, counted from when it came; but while its owner waits for a first
 *   turn, because of others, only the wait is bounded, by twice as much. It also ends when its caller leaves, or when one of
 *   its tasks fails; the tasks that it still has are then dropped, or told to stop.
 * - A slot stays taken until its task has really ended, however soon the request got its answer.
 * - An owner has a few requests under way; the others wait, and beyond the bounds they are refused. One owner can fill its own
 *   queue, never another's.
 * - A viewer has one owner, or several: tokens. However many they are, viewers take free slots in turn, then the owners of one
 *   viewer, then the requests of one owner: a task waits for at most one turn of each other viewer. Who comes goes to the end
 *   of the ring.
 * - An owner who holds no slot comes before one who does, and the last free slot goes to a viewer who holds none. An owner
 *   takes a second only while more are free than its viewer holds: of four, one owner alone gets two, several of one viewer
 *   get one each.
 * - Where all waiting places are taken, who has fewer gets one of the viewer who has most.
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
type Request = { tasks: Task[]; begin: () => void; startClock: () => void }
type Waiting = Request & { refuse: () => void }
/** `name`: of the queue, among those of the viewer. */
export type Owner = { viewer: string; name: string }
/** One text for an owner, no other's. */
export const nameOf = ({ viewer, name }: Owner): string => JSON.stringify([viewer, name])
type Queue = { viewer: Viewer; held: number; underWay: Request[]; waiting: Waiting[] }
type Viewer = { held: number; queues: Map<string, Queue> }
type Bounds = { slots: number; budgetMs: number; underWay?: number; ownQueue?: number; wholeQueue?: number }

/** Those who hold all slots may have just begun, and take a moment to stop when their own budget has ended. */
const WAIT_BUDGETS = 2

/**
 * A request is what one visual asks. `underWay`: requests of one owner at a time; `ownQueue`, `wholeQueue`: how many may
 * wait, of one owner and of all.
 */
export function createTurns({ slots, budgetMs, underWay = 2, ownQueue = 200, wholeQueue = 1000 }: Bounds) {
  /** In the order of their turns, as are the queues of each. Holds those only that have something under way or a slot. */
  const viewers = new Map<string, Viewer>()
  let free = slots

  /**
   * Does `work`, which reaches the database through `run` only. Throws `ServiceBusy` at once, or when its waiting place goes to
   * somebody who has fewer, or when its owner gets no turn in time, `QueryTimeout` when the budget is used up, `Abandoned` when
   * `caller` aborts, and whatever `work` throws.
   */
  async function request<T>(owner: Owner, caller: AbortSignal, work: (run: Run) => Promise<T>): Promise<T> {
    if (caller.aborted) throw new Abandoned()
    const viewer = viewers.get(owner.viewer) ?? { held: 0, queues: new Map() }
    const queue = viewer.queues.get(owner.name) ?? { viewer, held: 0, underWay: [], waiting: [] }
    const mayBegin = queue.underWay.length < underWay
    if (!mayBegin && (queue.waiting.length >= ownQueue || !hasPlaceFor(viewer))) throw new ServiceBusy()
    viewers.set(owner.viewer, viewer)
    viewer.queues.set(owner.name, queue)

    const end = new AbortController()
    const leave = () => end.abort(new Abandoned())
    caller.addEventListener('abort', leave, { once: true })
    const refuse = () => end.abort(new ServiceBusy())
    let timer = setTimeout(refuse, WAIT_BUDGETS * budgetMs)
    let hasClock = false
    const startClock = () => {
      if (hasClock || end.signal.aborted) return
      hasClock = true
      clearTimeout(timer)
      timer = setTimeout(() => end.abort(new QueryTimeout()), budgetMs)
    }
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const mine: Waiting = { tasks: [], begin, startClock, refuse }
    if (queue.held > 0) startClock()
    end.signal.addEventListener('abort', () => {
      for (const task of mine.tasks.splice(0)) task.drop()
    })
    if (mayBegin) admit(queue, mine)
    else queue.waiting.push(mine)
    try {
      const done = begun.then(() => work(runnerOf(mine, end)))
      return await Promise.race([done, aborted(end.signal)])
    } finally {
      clearTimeout(timer)
      caller.removeEventListener('abort', leave)
      // Whatever is left after an answer or an error, nobody waits for it.
      end.abort(new Abandoned())
      letGo(owner, queue, mine)
      hand()
    }
  }

  const waitingOf = ({ queues }: Viewer) =>
    [...queues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)

  /** Makes one where there is none and somebody has at least two more than `viewer`: of theirs, the last to come goes. */
  function hasPlaceFor(viewer: Viewer): boolean {
    const counts = [...viewers.values()].map((one) => ({ viewer: one, waiting: waitingOf(one) }))
    if (counts.reduce((sum, { waiting }) => sum + waiting, 0) < wholeQueue) return true
    const [most] = counts.sort((one, other) => other.waiting - one.waiting)
    if (!most || most.waiting < waitingOf(viewer) + 2) return false
    const [longest] = [...most.viewer.queues.values()].sort(
      (one, other) => other.waiting.length - one.waiting.length,
    )
    longest?.waiting.pop()?.refuse()
    return true
  }

  function admit(queue: Queue, request: Request) {
    queue.underWay.push(request)
    request.begin()
  }

  function letGo(owner: Owner, queue: Queue, request: Request) {
    queue.waiting = queue.waiting.filter((other) => other !== request)
    queue.underWay = queue.underWay.filter((other) => other !== request)
    const next = queue.underWay.length < underWay ? queue.waiting.shift() : undefined
    if (next) admit(queue, next)
    forgetIdle(owner, queue)
  }

  function forgetIdle({ viewer: id, name }: Owner, queue: Queue) {
    const { viewer, underWay, held } = queue
    // One of the same name may have come since.
    if (underWay.length === 0 && held === 0 && viewer.queues.get(name) === queue) viewer.queues.delete(name)
    if (viewer.queues.size === 0 && viewers.get(id) === viewer) viewers.delete(id)
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
      const { owner, queue, task } = turn
      const { viewer } = queue
      toTheEnd(viewers, owner.viewer, viewer)
      toTheEnd(viewer.queues, owner.name, queue)
      if (queue.held === 0) for (const request of [...queue.underWay, ...queue.waiting]) request.startClock()
      free--
      viewer.held++
      queue.held++
      void task.start().then(() => {
        free++
        viewer.held--
        queue.held--
        forgetIdle(owner, queue)
        hand()
      })
    }
  }

  const nextTurn = () =>
    turnAmong(({ held, viewer }) => held === 0 && (free > 1 || viewer.held === 0)) ??
    turnAmong(({ held, viewer }) => held > 0 && free > viewer.held)

  function turnAmong(mayTake: (queue: Queue) => boolean) {
    if (free === 0) return undefined
    for (const [id, { queues }] of viewers) {
      for (const [name, queue] of queues) {
        if (!mayTake(queue)) continue
        const request = queue.underWay.find(({ tasks }) => tasks.length > 0)
        const task = request?.tasks.shift()
        if (!request || !task) continue
        queue.underWay = [...queue.underWay.filter((other) => other !== request), request]
        return { owner: { viewer: id, name }, queue, task }
      }
    }
    return undefined
  }

  /** Slots that are taken, and tasks and requests that wait. */
  const load = () => {
    const queues = [...viewers.values()].flatMap((viewer) => [...viewer.queues.values()])
    const count = (of: (queue: Queue) => number) => queues.reduce((sum, queue) => sum + of(queue), 0)
    return { held: slots - free, waiting: count(waitingIn) }
  }

  return { request, load }
}

const waitingIn = ({ underWay, waiting }: Queue): number =>
  underWay.reduce((sum, { tasks }) => sum + tasks.length, waiting.length)

function toTheEnd<T>(ring: Map<string, T>, key: string, value: T) {
  ring.delete(key)
  ring.set(key, value)
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
