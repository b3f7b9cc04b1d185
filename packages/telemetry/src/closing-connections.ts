import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds that calls in progress have to end; less than every supervisor waits for. */
const longestCall = 30_000
/** Milliseconds for a request that has arrived and is not read yet. */
const grace = 1_000

/**
 * Keeps clients from holding up the stop of a server. As it closes, connections that have not sent
 * a whole request head are closed after a second, and all that are left after `limitMs`. Node's own
 * `close` waits for both kinds, and stops the timers that would end them.
 */
export const closeConnectionsInTime = (app: FastifyInstance, limitMs = longestCall): void => {
  const silent = new Set<Socket>()
  const open = new Set<Socket>()
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    silent.add(socket)
    open.add(socket)
    socket.once('close', () => {
      silent.delete(socket)
      open.delete(socket)
    })
  }
  const onRequest = (message: unknown) => silent.delete((message as { socket: Socket }).socket)
  // Channels, because Fastify listens on two servers where the host is `localhost`.
  subscribe('net.server.socket', onSocket)
  subscribe('http.server.request.start', onRequest)
  const limits: NodeJS.Timeout[] = []
  app.addHook('preClose', async () => {
    const ports = app.addresses().map((address) => (address as AddressInfo).port)
    const destroy = (sockets: Set<Socket>) => {
      for (const socket of sockets) if (ports.includes(socket.localPort ?? 0)) socket.destroy()
    }
    limits.push(
      setTimeout(() => destroy(silent), grace),
      setTimeout(() => destroy(open), limitMs),
    )
  })
  app.addHook('onClose', async () => {
    for (const limit of limits) clearTimeout(limit)
    unsubscribe('net.server.socket', onSocket)
    unsubscribe('http.server.request.start', onRequest)
  })
}
