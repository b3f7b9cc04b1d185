import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { QueryTimeout } from '../data/database/database.ts'
import { CallerLeft, createQueryScheduler, type Run, ServiceBusy } from './query-scheduler.ts'

const HERE = new AbortController().signal
const NEVER = 60_000

/** Tasks that run until the test ends them, identified by name. */
const slowExecutor = () => {
  const running: { name: string; end: () => void; signal: AbortSignal }[] = []
  const task = (name: string) => (signal: AbortSignal) =>
    new Promise<string>((resolve) => {
      const end = () => {
        running.splice(running.indexOf(entry), 1)
        resolve(name)
      }
      const entry = { name, end, signal }
      running.push(entry)
    })
  /** Requests a page with this many visuals. */
  const page = (name: string, visuals: number) => (run: Run) =>
    Promise.all(Array.from({ length: visuals }, (_, index) => run(task(`${name}${index}`))))
  const names = () => running.map(({ name }) => name)
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  /** Ends the task that has run longest. */
  const endOldest = async () => {
    running[0]?.end()
    await settle()
  }
  return { running, page, names, settle, endOldest }
}

const ignoring = (work: Promise<unknown>) => void work.catch(() => undefined)

describe('createQueryScheduler', () => {
  test('createQueryScheduler answers a light request after one turn of each heavy owner', async () => {
    const { page, names, settle, endOldest } = slowExecutor()
    const scheduler = createQueryScheduler({
      slots: 4,
      budgetMs: NEVER,
      waitingPerOwner: 100,
      waitingInTotal: 1000,
    })
    // Three heavy owners, so that every slot is taken.
    for (const owner of ['x', 'y', 'z']) {
      for (let index = 0; index < 30; index++) {
        ignoring(scheduler.request(owner, HERE, page(`${owner}${index}-`, 40)))
      }
    }
    await settle()
    expect(names()).toHaveLength(4)
    let answer: string[] | undefined
    void scheduler.request('light', HERE, page('light', 1)).then((found) => {
      answer = found
    })
    await settle()
    let turnsTaken = 0
    while (!names().includes('light0')) {
      await endOldest()
      turnsTaken++
      expect(turnsTaken).toBeLessThanOrEqual(3)
    }
    while (!answer) await endOldest()
    expect(answer).toEqual(['light0'])
  })

  test('createQueryScheduler gives owners alternate turns, independent of their number of tasks', async () => {
    const { page, names, settle, endOldest } = slowExecutor()
    const scheduler = createQueryScheduler({ slots: 1, budgetMs: NEVER })
    const order: string[] = []
    for (const [name, visuals] of [
      ['x', 4],
      ['y', 2],
      ['z', 1],
    ] as const) {
      ignoring(scheduler.request(name, HERE, page(name, visuals)))
    }
    await settle()
    while (names().length) {
      order.push(...names())
      await endOldest()
    }
    expect(order).toEqual(['x0', 'y0', 'z0', 'x1', 'y1', 'x2', 'x3'])
  })

  test('createQueryScheduler limits a single owner to half the slots, and reserves the last one for a viewer without any', async () => {
    const { page, names, settle } = slowExecutor()
    const scheduler = createQueryScheduler({ slots: 4, budgetMs: NEVER })
    ignoring(scheduler.request('x', HERE, page('x', 9)))
    await settle()
    expect(names()).toEqual(['x0', 'x1'])
    ignoring(scheduler.request('y', HERE, page('y', 9)))
    await settle()
    expect(names()).toEqual(['x0', 'x1', 'y0'])
    ignoring(scheduler.request('z', HERE, page('z', 1)))
    await settle()
    expect(names()).toEqual(['x0', 'x1', 'y0', 'z0'])
  })

  test('createQueryScheduler runs two requests of an owner alternately, while the third waits', async () => {
    const { page, names, settle, endOldest } = slowExecutor()
    const scheduler = createQueryScheduler({ slots: 1, budgetMs: NEVER })
    const order: string[] = []
    for (const name of ['a', 'b', 'c']) ignoring(scheduler.request('x', HERE, page(name, 2)))
    await settle()
    while (names().length) {
      order.push(...names())
      await endOldest()
    }
    expect(order).toEqual(['a0', 'b0', 'a1', 'b1', 'c0', 'c1'])
  })

  test('createQueryScheduler refuses requests beyond the limits, and limits each owner to its own queue', async () => {
    const { page, settle } = slowExecutor()
    const scheduler = createQueryScheduler({
      slots: 4,
      budgetMs: NEVER,
      waitingPerOwner: 3,
      waitingInTotal: 5,
    })
    const ask = (owner: string) => scheduler.request(owner, HERE, page(owner, 1))
    const outcomes: string[] = []
    const note = (owner: string) =>
      ask(owner).catch((error) => outcomes.push(`${owner} ${error instanceof ServiceBusy}`))
    for (let index = 0; index < 7; index++) void note('x')
    await settle()
    expect(outcomes).toEqual(['x true', 'x true'])
    for (let index = 0; index < 5; index++) void note('y')
    await settle()
    expect(outcomes).toEqual(['x true', 'x true', 'y true'])
    // Two more may start; the third replaces a waiting request of a viewer who has more.
    for (let index = 0; index < 3; index++) void note('z')
    await settle()
    expect(outcomes).toEqual(['x true', 'x true', 'y true', 'x true'])
    for (let index = 0; index < 2; index++) void note('z')
    await settle()
    // With two, two and one waiting, no request is replaced.
    expect(outcomes.slice(4)).toEqual(['z true', 'z true'])
  })

  test('createQueryScheduler leaves two of four slots to others, however many requests of one owner wait', async () => {
    const { page, names, settle } = slowExecutor()
    const scheduler = createQueryScheduler({ slots: 4, budgetMs: NEVER })
    for (let request = 0; request < 20; request++) ignoring(scheduler.request('x', HERE, page('x', 9)))
    await settle()
    expect(names()).toHaveLength(2)
    ignoring(scheduler.request('y', HERE, page('light', 1)))
    await settle()
    expect(names()).toEqual(['x0', 'x1', 'light0'])
  })

  test('createQueryScheduler serves owners without a slot before others get a second one', async () => {
    const { page, running, names, settle } = slowExecutor()
    const scheduler = createQueryScheduler({ slots: 4, budgetMs: NEVER })
    const owners = () =>
      names()
        .map((name) => name[0])
        .sort()
    for (const owner of ['x', 'y', 'z', 'w']) ignoring(scheduler.request(owner, HERE, page(owner, 9)))
    await settle()
    // The first one took a second slot while half of them were free.
    expect(owners()).toEqual(['x', 'x', 'y', 'z'])
    running.find(({ name }) => name.startsWith('y'))?.end()
    await settle()
    expect(owners()).toEqual(['w', 'x', 'x', 'z'])
    running.find(({ name }) => name.startsWith('x'))?.end()
    await settle()
    expect(owners()).toEqual(['w', 'x', 'y', 'z'])
  })

  test('createQueryScheduler excludes the wait for a first turn from the budget, and limits that wait separately', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { page, names, running, settle } = slowExecutor()
    const scheduler = createQueryScheduler({ slots: 1, budgetMs: 100 })
    const outcomes: string[] = []
    const ask = (viewer: string) =>
      scheduler.request(viewer, HERE, page(viewer, 2)).then(
        () => outcomes.push(`${viewer} answered`),
        (error) => outcomes.push(`${viewer} ${error.constructor.name}`),
      )
    void ask('heavy')
    void ask('light')
    void ask('last')
    await settle()
    vi.advanceTimersByTime(100)
    await settle()
    // Aborted, but its task has not ended.
    expect(outcomes).toEqual(['heavy QueryTimeout'])
    vi.advanceTimersByTime(40)
    running[0]?.end()
    await settle()
    expect(names()).toEqual(['light0'])
    vi.advanceTimersByTime(60)
    await settle()
    // No turn within twice the budget means a busy service, not a slow query.
    expect(outcomes).toEqual(['heavy QueryTimeout', 'last ServiceBusy'])
    vi.advanceTimersByTime(30)
    running[0]?.end()
    await settle()
    expect(names()).toEqual(['light1'])
    vi.advanceTimersByTime(9)
    running[0]?.end()
    await settle()
    expect(outcomes.slice(2)).toEqual(['light answered'])
    // While one request of an owner runs, the budget of its next ones counts from their arrival.
    void ask('slow')
    await settle()
    vi.advanceTimersByTime(60)
    running[0]?.end()
    await settle()
    vi.advanceTimersByTime(40)
    await settle()
    expect(outcomes.slice(3)).toEqual(['slow QueryTimeout'])
  })

  test('createQueryScheduler replaces waiting requests of the owner who has most when the queue is full', async () => {
    const { page, names, settle, endOldest } = slowExecutor()
    const scheduler = createQueryScheduler({
      slots: 1,
      budgetMs: NEVER,
      runningPerOwner: 1,
      waitingPerOwner: 10,
      waitingInTotal: 6,
    })
    const refused: string[] = []
    const ask = (owner: string, what: string) =>
      void scheduler.request(owner, HERE, page(what, 1)).catch((error) => {
        refused.push(`${what} ${error instanceof ServiceBusy}`)
      })
    // One runs, six wait: the queue is full, and no owner has more waiting than this one.
    for (let at = 0; at < 8; at++) ask('x', `x${at}-`)
    await settle()
    expect(refused).toEqual(['x7- true'])
    for (let at = 0; at < 5; at++) ask('y', `y${at}-`)
    await settle()
    // y has one running and three waiting, as many as x; a fifth request would take more.
    expect(refused.slice(1).sort()).toEqual(['x4- true', 'x5- true', 'x6- true', 'y4- true'])
    const done: string[] = []
    while (names().length) {
      done.push(...names())
      await endOldest()
    }
    expect(done).toHaveLength(8)
    expect(done.filter((name) => name.startsWith('y'))).toHaveLength(4)
  })

  test('createQueryScheduler counts waiting in the budget, drops waiting tasks and aborts running ones', async () => {
    const { page, names, running, settle } = slowExecutor()
    const scheduler = createQueryScheduler({ slots: 1, budgetMs: 30 })
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) => scheduler.request('x', HERE, page(name, 3))),
    )
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(QueryTimeout) })
    }
    // The slot stays taken until the task has ended.
    expect(names()).toEqual(['a0'])
    expect(running[0]?.signal.aborted).toBe(true)
    const next = scheduler.request('y', HERE, page('y', 1))
    await settle()
    expect(names()).toEqual(['a0'])
    running[0]?.end()
    await settle()
    expect(names()).toEqual(['y0'])
    running[0]?.end()
    expect(await next).toEqual(['y0'])
  })

  test('createQueryScheduler frees the place of a caller who leaves, running or waiting', async () => {
    const { page, names, running, settle, endOldest } = slowExecutor()
    const scheduler = createQueryScheduler({ slots: 2, budgetMs: NEVER })
    const callers = Array.from({ length: 4 }, () => new AbortController())
    const outcomes = callers.map((caller, index) =>
      scheduler.request('x', caller.signal, page(`${index}-`, 2)).catch((error) => error),
    )
    await settle()
    expect(names()).toEqual(['0-0'])
    for (const caller of callers.slice(0, 3)) caller.abort()
    for (const outcome of outcomes.slice(0, 3)) expect(await outcome).toBeInstanceOf(CallerLeft)
    expect(running[0]?.signal.aborted).toBe(true)
    await endOldest()
    expect(names()).toEqual(['3-0'])
    await endOldest()
    await endOldest()
    expect(await outcomes[3]).toEqual(['3-0', '3-1'])
    await expect(scheduler.request('x', AbortSignal.abort(), page('y', 1))).rejects.toThrow(CallerLeft)
  })

  test('createQueryScheduler ends the request and its other tasks at the first failure', async () => {
    const scheduler = createQueryScheduler({ slots: 1, budgetMs: NEVER })
    const begun: number[] = []
    const failing = scheduler.request('x', HERE, (run) =>
      Promise.all(
        [0, 1, 2].map((index) =>
          run(async () => {
            begun.push(index)
            throw new Error('não')
          }),
        ),
      ),
    )
    await expect(failing).rejects.toThrow('não')
    expect(begun).toEqual([0])
    expect(await scheduler.request('x', HERE, (run) => run(async () => 'sim'))).toBe('sim')
  })
})
