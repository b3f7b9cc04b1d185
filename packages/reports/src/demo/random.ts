export type Chance = ReturnType<typeof chance>

/** Creates a seeded random source: the same name gives the same numbers on every machine. */
export const chance = (name: string) => {
  const next = mulberry32(hash(name))
  const normal = (mean = 0, deviation = 1) =>
    mean + deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return {
    /** Returns a number in [0, 1). */
    next,
    /** Returns an integer in [from, to]. */
    between: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    happens: (probability: number) => next() < probability,
    normal,
    /** Log-normal by its median, so that cost tables contain typical prices. */
    logNormal: (median: number, sigma: number) => median * Math.exp(normal(0, sigma)),
    poisson: (mean: number) => poisson(next, mean),
  }
}

/** Returns a function that draws items by weight; the cumulative table is built once. */
export const weighted = <T>(
  items: readonly (readonly [item: T, weight: number])[],
): ((source: Chance) => T) => {
  const last = items.at(-1)
  if (last === undefined) throw new Error('weighted() needs at least one item')
  let total = 0
  const steps = items.map(([item, weight]) => {
    total += weight
    return { item, upTo: total }
  })
  return (source) => {
    const drawn = source.next() * total
    return (steps.find((step) => drawn < step.upTo) ?? { item: last[0] }).item
  }
}

/** Returns a function that picks one of the texts, by their weights. */
export const weightedText = <T extends string>(weights: Record<T, number>) =>
  weighted(Object.entries(weights) as [T, number][])

/** Returns a function that draws an hour, given the weights of the hours from 0 on. */
export const weightedHour = (weights: readonly number[]) =>
  weighted(weights.map((weight, hour) => [hour, weight] as const))

// Knuth's method: the means here are far below the point where exp(-mean) underflows.
const poisson = (next: () => number, mean: number): number => {
  const limit = Math.exp(-mean)
  let product = next()
  let count = 0
  while (product > limit) {
    product *= next()
    count += 1
  }
  return count
}

const mulberry32 = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** FNV-1a, 32 bits. */
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return value >>> 0
}
