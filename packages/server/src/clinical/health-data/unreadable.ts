import { channel } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { createBoundedCache } from '../../platform/lib/bounded-cache.ts'

/* Values are decrypted where no logger is at hand, so failures are published on a diagnostics
   channel. */

interface Unreadable {
  /** The encryption context: column and ids, never the content. */
  place: string
  err: Error
}

const unreadable = channel('bi-manager:unreadable')

export const reportUnreadable = (what: Unreadable): void => unreadable.publish(what)

/** Logs each value that cannot be decrypted, once. */
export const unreadableLog = fp(async (app: FastifyInstance) => {
  const logged = createBoundedCache<true>(10_000)
  const write = (message: unknown): void => {
    const { place, err } = message as Unreadable
    if (logged.get(place)) return
    logged.set(place, true)
    app.log.error(
      { place, err },
      'a value cannot be decrypted: it was altered or moved, or its key is another one',
    )
  }
  unreadable.subscribe(write)
  app.addHook('onClose', async () => {
    unreadable.unsubscribe(write)
  })
})
