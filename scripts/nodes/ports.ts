import { createServer } from 'node:net'

/**
 * Returns a free port below the kernel's ephemeral range: an outgoing connection could take such a
 * port while its server restarts.
 */
export const stablePort = async (): Promise<number> => {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 17_000)
    if (taken.has(port) || !(await isFree(port))) continue
    taken.add(port)
    return port
  }
}

const taken = new Set<number>()

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
