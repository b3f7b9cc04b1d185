import { QueryTimeout } from '../data/database/database.ts'

/*
 * Schedules database queries. A request is the work of one visual; an owner is the reader for whom
 * it is done, and has one queue. Free slots rotate among owners, then among the owner's requests: a
 * task waits for at most one turn of each other owner. A slot stays taken until its task has ended,
 * even after the request was answered.
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
type Queue = { slotsTaken: number; running: Request[]; waiting: Waiting[] }
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
export const createQueryScheduler = ({
  slots,
  budgetMs,
  runningPerOwner = 2,
  waitingPerOwner = 200,
  waitingInTotal = 1000,
}: Bounds) => {
  /** By owner, in order of their turns. Only of owners with requests or slots. */
  const queues = new Map<string, Queue>()
  let free = slots

  /**
   * Runs `work`, which reaches the database only through `run`. The budget covers all its tasks and
   * counts from arrival, or from the owner's first turn when others delay that.
   * @throws ServiceBusy when the queue is full, or no turn comes in time
   * @throws QueryTimeout when the budget is exceeded
   * @throws CallerLeft when `callerLeft` aborts
   */
  async function request<T>(
    owner: string,
    callerLeft: AbortSignal,
    work: (run: Run) => Promise<T>,
  ): Promise<T> {
    if (callerLeft.aborted) throw new CallerLeft()
    const queue: Queue = queues.get(owner) ?? { slotsTaken: 0, running: [], waiting: [] }
    const mayBegin = queue.running.length < runningPerOwner
    if (!mayBegin && (queue.waiting.length >= waitingPerOwner || !makeRoomFor(queue))) throw new ServiceBusy()
    queues.set(owner, queue)

    const end = new AbortController()
    const leave = () => end.abort(new CallerLeft())
    callerLeft.addEventListener('abort', leave, { once: true })
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
      callerLeft.removeEventListener('abort', leave)
      // No caller waits for the tasks that remain after an answer or an error.
      end.abort(new CallerLeft())
      release(owner, queue, mine)
      assignSlots()
    }
  }

  /**
   * When the waiting requests of all owners reach the limit, refuses the latest one of the owner who
   * has most, if that is at least two more than `queue` has.
   */
  function makeRoomFor(queue: Queue): boolean {
    const [longest, ...others] = [...queues.values()].sort(
      (one, other) => other.waiting.length - one.waiting.length,
    )
    if (!longest) return true
    const total = others.reduce((sum, { waiting }) => sum + waiting.length, longest.waiting.length)
    if (total < waitingInTotal) return true
    if (longest.waiting.length < queue.waiting.length + 2) return false
    longest.waiting.pop()?.refuse()
    return true
  }

  function admit(queue: Queue, request: Request) {
    queue.running.push(request)
    request.begin()
  }

  function release(owner: string, queue: Queue, request: Request) {
    queue.waiting = queue.waiting.filter((other) => other !== request)
    queue.running = queue.running.filter((other) => other !== request)
    const next = queue.running.length < runningPerOwner ? queue.waiting.shift() : undefined
    if (next) admit(queue, next)
    forgetIdle(owner, queue)
  }

  function forgetIdle(owner: string, queue: Queue) {
    const isIdle = queue.running.length === 0 && queue.slotsTaken === 0
    // A queue of the same owner may have been created since.
    if (isIdle && queues.get(owner) === queue) queues.delete(owner)
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
      // Its next turn comes after those of all others.
      queues.delete(owner)
      queues.set(owner, queue)
      if (queue.slotsTaken === 0)
        for (const request of [...queue.running, ...queue.waiting]) request.startClock()
      free--
      queue.slotsTaken++
      void task.start().then(() => {
        free++
        queue.slotsTaken--
        forgetIdle(owner, queue)
        assignSlots()
      })
    }
  }

  // Owners without a slot go first. A further slot needs more free slots than the owner holds: of
  // four, one owner alone gets two.
  const nextTurn = () =>
    turnAmong(({ slotsTaken }) => slotsTaken === 0) ??
    turnAmong(({ slotsTaken }) => slotsTaken > 0 && free > slotsTaken)

  function turnAmong(mayTake: (queue: Queue) => boolean) {
    if (free === 0) return undefined
    for (const [owner, queue] of queues) {
      if (!mayTake(queue)) continue
      const request = queue.running.find(({ tasks }) => tasks.length > 0)
      const task = request?.tasks.shift()
      if (!request || !task) continue
      queue.running = [...queue.running.filter((other) => other !== request), request]
      return { owner, queue, task }
    }
    return undefined
  }

  /** Returns the number of taken slots, and of waiting tasks and requests. */
  const load = () => {
    const waiting = [...queues.values()].reduce((sum, queue) => sum + waitingIn(queue), 0)
    return { held: slots - free, waiting }
  }

  return { request, load }
}

const waitingIn = ({ running, waiting }: Queue): number =>
  running.reduce((sum, { tasks }) => sum + tasks.length, waiting.length)

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
