import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** Returns a currently free TCP port on the loopback address. It is not reserved. */
export async function freePort(): Promise<number> {
  const held = await hold()
  await release(held)
  return held.port
}

/**
 * Returns different free ports: all are held until the last is known, because the kernel may give a
 * released port again.
 */
export async function freePorts(count: 1): Promise<[number]>
export async function freePorts(count: 2): Promise<[number, number]>
export async function freePorts(count: 4): Promise<[number, number, number, number]>
export async function freePorts(count: number): Promise<number[]>
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, hold))
  await Promise.all(held.map(release))
  return held.map(({ port }) => port)
}

const hold = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

const release = async ({ server }: { server: Server }) => {
  server.close()
  await once(server, 'close')
}

/** Whether another program listens on the port. */
export function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)))
  })
}
