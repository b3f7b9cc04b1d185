/** Returns the value at this share of the sorted values: 0.5 is the median. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Collects values by name. */
export const createSeries = <T = number>() => {
  const values = new Map<string, T[]>()
  return {
    add: (name: string, ...more: T[]) => void values.set(name, [...(values.get(name) ?? []), ...more]),
    of: (name: string): T[] => values.get(name) ?? [],
    names: () => [...values.keys()],
  }
}

/** Returns a line of a table: a title, then figures aligned to the right. */
export const tableLine =
  (titleWidth: number, width: number) =>
  (title: string, ...figures: (string | number)[]): string =>
    title.padEnd(titleWidth) + figures.map((figure) => String(figure).padStart(width)).join('')

export const databaseName = process.env.TEST_DATABASE === 'postgres' ? 'PostgreSQL' : 'embedded database'
