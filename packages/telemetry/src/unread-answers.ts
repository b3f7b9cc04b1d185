import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type {} from './request-log.ts'

/*
 * An answer is in memory until its client has read it. These limits keep clients that do not read
 * from filling the memory: a time without progress, a time in total, and a number per owner.
 */

declare module 'fastify' {
  interface FastifyInstance {
    answerLimits: AnswerLimits
    /**
     * Takes one of the owner's slots until the answer has been read or has ended, or waits for one.
     * @returns whether there was a slot in time
     */
    takeAnswerSlot: (owner: string, reply: FastifyReply) => Promise<boolean>
  }
  interface FastifyContextConfig {
    /** Whether the answer must be read in a limited time, even if its client makes progress. */
    isTimed?: boolean
  }
}

interface AnswerLimits {
  /** Milliseconds without progress; Node notices after this time or up to twice as much. */
  idleMs: number
  /** Milliseconds in total, of routes with `isTimed`. */
  totalMs: number
  /** Answers of one owner that are being made or read. */
  perOwner: number
  /** Calls of one owner that wait for a slot, and how many milliseconds they wait. */
  maxWaiting: number
  waitMs: number
}

const answerLimits: AnswerLimits = {
  idleMs: 30_000,
  totalMs: 300_000,
  perOwner: 4,
  maxWaiting: 200,
  waitMs: 20_000,
}

/** The code of an ended answer in the request's log line. */
const ENDED = 'UnreadAnswer'

/** Ends answers that their clients do not read. Progress is what the operating system takes. */
export const unreadAnswers = fp(async (app: FastifyInstance) => {
  const limits = { ...answerLimits }
  app.decorate('answerLimits', limits)
  app.decorate('takeAnswerSlot', createSlots(limits))
  app.addHook('onRequest', (request, reply, done) => {
    // Without a listener, Node would also end answers whose source is slow.
    reply.raw.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0) end(request, socket)
    })
    done()
  })
  app.addHook('onSend', async (request, reply) => {
    if (!isOverNetwork(request)) return
    reply.raw.setTimeout(limits.idleMs)
    if (!request.routeOptions.config.isTimed) return
    const timer = setTimeout(() => end(request, request.raw.socket), limits.totalMs)
    reply.raw.once('close', () => clearTimeout(timer))
  })
})

/** Calls within the process have no socket; their answers are read at once. */
const isOverNetwork = ({ raw }: FastifyRequest): boolean => raw.socket instanceof Socket

const end = (request: FastifyRequest, socket: Socket): void => {
  request.problemCode = ENDED
  socket.destroy()
}

interface Queue {
  taken: number
  waiting: (() => void)[]
}

const createSlots = (limits: AnswerLimits): FastifyInstance['takeAnswerSlot'] => {
  const queues = new Map<string, Queue>()

  const free = (owner: string, queue: Queue) => {
    // After the limit is lowered, a waiting call gets a slot only below the new limit.
    const next = queue.taken <= limits.perOwner ? queue.waiting.shift() : undefined
    if (next) return next()
    queue.taken--
    if (queue.taken === 0) queues.delete(owner)
  }

  return async (owner, { raw, request }) => {
    if (!isOverNetwork(request)) return true
    if (raw.destroyed) return false
    const queue = queues.get(owner) ?? { taken: 0, waiting: [] }
    queues.set(owner, queue)
    if (queue.taken < limits.perOwner) {
      queue.taken++
      raw.once('close', () => free(owner, queue))
      return true
    }
    if (queue.waiting.length >= limits.maxWaiting) return false
    return waitFor(queue, raw, limits.waitMs, () => free(owner, queue))
  }
}

/** Waits until it is the call's turn; `onClose` is called when the call that had it has ended. */
const waitFor = (
  queue: Queue,
  raw: ServerResponse,
  waitMs: number,
  onClose: () => void,
): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const leave = () => {
    clearTimeout(timer)
    queue.waiting = queue.waiting.filter((other) => other !== begin)
    resolve(false)
  }
  const begin = () => {
    clearTimeout(timer)
    raw.off('close', leave)
    raw.once('close', onClose)
    resolve(true)
  }
  const timer = setTimeout(leave, waitMs)
  raw.once('close', leave)
  queue.waiting.push(begin)
  return promise
}
