import { QueryTimeout } from '../data/database.ts'

/*
 * Schedules database queries. A request is the work of one visual; an owner is one token of a
 * viewer and has its own queue. Free slots rotate among viewers, then their owners, then the
 * owner's requests: a task waits for at most one turn of each other viewer. A slot stays taken
 * until its task has ended, even after the request was answered.
 */

/** The request was refused because too many are waiting. */
export class ServiceBusy extends Error {}
/** The caller has left. */
export class CallerLeft extends Error {}

export type QueryScheduler = ReturnType<typeof createQueryScheduler>
/** Runs the task once a slot is free. The task should end soon after the signal aborts. */
export type Run = <T>(task: (signal: AbortSignal) => Promise<T>) => Promise<T>

type Task = { start: () => Promise<void>; drop: () => void }
type Request = { tasks: Task[]; begin: () => void; startClock: () => void }
type Waiting = Request & { refuse: () => void }
/** `name` identifies the queue among those of the viewer. */
export type Owner = { viewer: string; name: string }
/** Returns a unique key of the owner. */
export const ownerKey = ({ viewer, name }: Owner): string => JSON.stringify([viewer, name])
type Queue = { viewer: Viewer; slotsTaken: number; running: Request[]; waiting: Waiting[] }
type Viewer = { slotsTaken: number; queues: Map<string, Queue> }
type Bounds = {
  slots: number
  budgetMs: number
  runningPerOwner?: number
  waitingPerOwner?: number
  waitingInTotal?: number
}

/** Twice the budget: running requests may have just started, and take a moment to stop. */
const WAIT_BUDGETS = 2

/**
 * Creates the scheduler of the requests of visuals. `runningPerOwner`: running requests per owner;
 * `waitingPerOwner` and `waitingInTotal`: how many may wait, of one owner and in total.
 */
export function createQueryScheduler({
  slots,
  budgetMs,
  runningPerOwner = 2,
  waitingPerOwner = 200,
  waitingInTotal = 1000,
}: Bounds) {
  /** In order of their turns, like the queues of each. Only viewers with requests or slots. */
  const viewers = new Map<string, Viewer>()
  let free = slots

  /**
   * Runs `work`, which reaches the database only through `run`. The budget covers all its tasks and
   * counts from arrival, or from the owner's first turn when others delay that.
   * @throws ServiceBusy when the queue is full, or no turn comes in time
   * @throws QueryTimeout when the budget is exceeded
   * @throws CallerLeft when `caller` aborts
   */
  async function request<T>(owner: Owner, caller: AbortSignal, work: (run: Run) => Promise<T>): Promise<T> {
    if (caller.aborted) throw new CallerLeft()
    const viewer: Viewer = viewers.get(owner.viewer) ?? { slotsTaken: 0, queues: new Map() }
    const queue: Queue = viewer.queues.get(owner.name) ?? { viewer, slotsTaken: 0, running: [], waiting: [] }
    const mayBegin = queue.running.length < runningPerOwner
    if (!mayBegin && (queue.waiting.length >= waitingPerOwner || !makeRoomFor(viewer)))
      throw new ServiceBusy()
    viewers.set(owner.viewer, viewer)
    viewer.queues.set(owner.name, queue)

    const end = new AbortController()
    const leave = () => end.abort(new CallerLeft())
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
    if (queue.slotsTaken > 0) startClock()
    end.signal.addEventListener('abort', () => {
      for (const task of mine.tasks.splice(0)) task.drop()
    })
    if (mayBegin) admit(queue, mine)
    else queue.waiting.push(mine)
    try {
      const done = begun.then(() => work(createRunner(mine, end)))
      return await Promise.race([done, rejectOnAbort(end.signal)])
    } finally {
      clearTimeout(timer)
      caller.removeEventListener('abort', leave)
      // No caller waits for the tasks that remain after an answer or an error.
      end.abort(new CallerLeft())
      release(owner, queue, mine)
      assignSlots()
    }
  }

  const waitingOf = ({ queues }: Viewer) =>
    [...queues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)

  /**
   * When the queue is full, refuses the latest request of the viewer who has most waiting, if that
   * is at least two more than `viewer` has.
   */
  function makeRoomFor(viewer: Viewer): boolean {
    const counts = [...viewers.values()].map((one) => ({ viewer: one, waiting: waitingOf(one) }))
    if (counts.reduce((sum, { waiting }) => sum + waiting, 0) < waitingInTotal) return true
    const [most] = counts.sort((one, other) => other.waiting - one.waiting)
    if (!most || most.waiting < waitingOf(viewer) + 2) return false
    const [longest] = [...most.viewer.queues.values()].sort(
      (one, other) => other.waiting.length - one.waiting.length,
    )
    longest?.waiting.pop()?.refuse()
    return true
  }

  function admit(queue: Queue, request: Request) {
    queue.running.push(request)
    request.begin()
  }

  function release(owner: Owner, queue: Queue, request: Request) {
    queue.waiting = queue.waiting.filter((other) => other !== request)
    queue.running = queue.running.filter((other) => other !== request)
    const next = queue.running.length < runningPerOwner ? queue.waiting.shift() : undefined
    if (next) admit(queue, next)
    forgetIdle(owner, queue)
  }

  function forgetIdle({ viewer: id, name }: Owner, queue: Queue) {
    const { viewer, running, slotsTaken } = queue
    // A queue of the same name may have been created since.
    if (running.length === 0 && slotsTaken === 0 && viewer.queues.get(name) === queue)
      viewer.queues.delete(name)
    if (viewer.queues.size === 0 && viewers.get(id) === viewer) viewers.delete(id)
  }

  const createRunner =
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
        assignSlots()
      })

  /** Assigns free slots in turn. */
  function assignSlots() {
    for (let turn = nextTurn(); turn; turn = nextTurn()) {
      const { owner, queue, task } = turn
      const { viewer } = queue
      moveToEnd(viewers, owner.viewer, viewer)
      moveToEnd(viewer.queues, owner.name, queue)
      if (queue.slotsTaken === 0)
        for (const request of [...queue.running, ...queue.waiting]) request.startClock()
      free--
      viewer.slotsTaken++
      queue.slotsTaken++
      void task.start().then(() => {
        free++
        viewer.slotsTaken--
        queue.slotsTaken--
        forgetIdle(owner, queue)
        assignSlots()
      })
    }
  }

  // Owners without a slot go first, and the last slot is for a viewer without any. A further slot
  // needs more free slots than the viewer holds: of four, one owner alone gets two.
  const nextTurn = () =>
    turnAmong(({ slotsTaken, viewer }) => slotsTaken === 0 && (free > 1 || viewer.slotsTaken === 0)) ??
    turnAmong(({ slotsTaken, viewer }) => slotsTaken > 0 && free > viewer.slotsTaken)

  function turnAmong(mayTake: (queue: Queue) => boolean) {
    if (free === 0) return undefined
    for (const [id, { queues }] of viewers) {
      for (const [name, queue] of queues) {
        if (!mayTake(queue)) continue
        const request = queue.running.find(({ tasks }) => tasks.length > 0)
        const task = request?.tasks.shift()
        if (!request || !task) continue
        queue.running = [...queue.running.filter((other) => other !== request), request]
        return { owner: { viewer: id, name }, queue, task }
      }
    }
    return undefined
  }

  /** Returns the number of taken slots, and of waiting tasks and requests. */
  const load = () => {
    const queues = [...viewers.values()].flatMap((viewer) => [...viewer.queues.values()])
    const count = (of: (queue: Queue) => number) => queues.reduce((sum, queue) => sum + of(queue), 0)
    return { held: slots - free, waiting: count(waitingIn) }
  }

  return { request, load }
}

const waitingIn = ({ running, waiting }: Queue): number =>
  running.reduce((sum, { tasks }) => sum + tasks.length, waiting.length)

function moveToEnd<T>(ring: Map<string, T>, key: string, value: T) {
  ring.delete(key)
  ring.set(key, value)
}

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
