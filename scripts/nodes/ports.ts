import { isTaken } from '../machines/ports.ts'

/**
 * Returns a free port below the kernel's ephemeral range: an outgoing connection could take such a
 * port while its server restarts.
 */
export const stablePort = async (): Promise<number> => {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 17_000)
    if (given.has(port) || (await isTaken('127.0.0.1', port))) continue
    given.add(port)
    return port
  }
}

const given = new Set<number>()
