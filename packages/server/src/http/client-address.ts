import type { FastifyInstance } from 'fastify'

/**
 * Reads the address of each connection when it opens: Node keeps it from then on. Of a connection that
 * has closed before the first read there is none, and a request may be answered after its connection
 * has closed. Without an address, no network could be checked.
 */
export const keepClientAddresses = ({ server }: Pick<FastifyInstance, 'server'>): void => {
  server.on('connection', (socket) => {
    if (socket.remoteAddress === undefined) socket.destroy()
  })
}
