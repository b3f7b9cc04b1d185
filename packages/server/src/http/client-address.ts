import type { FastifyInstance } from 'fastify'

/**
 * Reads the address of each connection when it opens, so that Node keeps it. A request may be answered
 * after its connection has closed; Node could not read the address then, and no network could be
 * checked. A connection without an address is closed at once.
 */
export const keepClientAddresses = ({ server }: Pick<FastifyInstance, 'server'>): void => {
  server.on('connection', (socket) => {
    if (socket.remoteAddress === undefined) socket.destroy()
  })
}
