/** Two sites, one of them far larger. */
export interface Pair<S> {
  small: S
  large: S
}

/** Alternates between the two sites, to measure both in the same state. @returns medians in ms */
export const compareSites = async <S>(
  sites: Pair<S>,
  call: { before?: (site: S) => Promise<unknown>; send: (site: S) => Promise<unknown> },
  rounds = 150,
): Promise<Pair<number>> => {
  const times: Pair<number[]> = { small: [], large: [] }
  for (let round = -10; round < rounds; round += 1) {
    for (const size of ['small', 'large'] as const) {
      const site = sites[size]
      await call.before?.(site)
      const started = performance.now()
      await call.send(site)
      if (round >= 0) times[size].push(performance.now() - started)
    }
  }
  return { small: median(times.small), large: median(times.large) }
}

/** Prints a line of the table: both medians and their ratio. */
export const printRatio = (name: string, { small, large }: Pair<number>): void => {
  const ratio = (large / small).toFixed(2)
  console.log(
    `${name.padEnd(52)}${small.toFixed(2).padStart(9)} ms${large.toFixed(2).padStart(9)} ms${ratio.padStart(8)}`,
  )
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
