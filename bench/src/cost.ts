import { type Load, measure, type Target } from './servers/load.ts'

const ROUNDS = 3

export interface Cost extends Load {
  /** Microseconds of the server's processor time per call, hardly affected by other load. */
  cpu: number
}

/** Measures the load and the processor time of calls to a server that `startProcess` started. */
export const withCost = async (
  server: { cpu: () => Promise<number> },
  target: Target,
  seconds?: number,
): Promise<Cost> => {
  const before = await server.cpu()
  const load = await measure(target, seconds)
  return { ...load, cpu: ((await server.cpu()) - before) / load.calls }
}

/** Measures two servers, in turns. @returns of each the round with the median rate */
export const inTurns = async (first: () => Promise<Cost>, second: () => Promise<Cost>) => {
  const loads: [Cost[], Cost[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    loads[0].push(await first())
    loads[1].push(await second())
  }
  return loads.map(middle) as [Cost, Cost]
}

const middle = (loads: Cost[]): Cost => {
  const sorted = loads.toSorted((a, b) => a.rate - b.rate)
  const load = sorted[Math.floor(sorted.length / 2)]
  if (!load) throw new Error('nothing was measured')
  return load
}
