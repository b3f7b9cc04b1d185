import { channel } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { createBoundedCache } from '../bounded-cache.ts'

/* Values are opened deep in a list, where no log is at hand; whoever keeps one hears of it here. */

interface Unreadable {
  /** Column and numbers: never a content. */
  place: string
  err: Error
}

const unreadable = channel('bi-manager:unreadable')

export const tellUnreadable = (what: Unreadable): void => unreadable.publish(what)

/** Puts into the server's log, once each, what cannot be opened. */
export const unreadableLog = fp(async (app: FastifyInstance) => {
  const told = createBoundedCache<true>(10_000)
  const write = (message: unknown): void => {
    const { place, err } = message as Unreadable
    if (told.get(place)) return
    told.set(place, true)
    app.log.error({ place, err }, 'a sealed value cannot be opened: altered, moved, or of another key')
  }
  unreadable.subscribe(write)
  app.addHook('onClose', async () => {
    unreadable.unsubscribe(write)
  })
})
