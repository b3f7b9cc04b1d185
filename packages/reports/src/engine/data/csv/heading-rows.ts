import { columnNames } from '../../../definitions/column-names.ts'

/**
 * The rows of a heading: one, or a row of groups and the row of names below it. With none, `first` is
 * the first row of values.
 */
export interface HeadingRows {
  first: number
  count: 0 | 1 | 2
}

/** The cells of a row that have something, by the index of their column. */
export type RowTexts = ReadonlyMap<number, string>

/** A line break in a heading separates words. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Returns the names of one row. */
export const plainNames = (row: RowTexts): Map<number, string> =>
  new Map([...row].map(([column, text]) => [column, oneLine(text)]))

/** Returns the names of two rows, where a name follows its group: 'Consultas · Valor'. */
export const groupedNames = (upper: RowTexts, lower: RowTexts): Map<number, string> =>
  new Map(
    [...new Set([...upper.keys(), ...lower.keys()])].map((column) => [
      column,
      [...new Set([upper.get(column), lower.get(column)])]
        .flatMap((text) => (text ? [oneLine(text)] : []))
        .join(' · '),
    ]),
  )

/** Repeats each group over the names to its right, up to the next group: a CSV has no merged cells. */
export const spreadGroups = (upper: RowTexts, lower: RowTexts): Map<number, string> => {
  const spread = new Map(upper)
  let group: string | undefined
  for (let column = 0; column <= Math.max(-1, ...lower.keys()); column++) {
    const own = upper.get(column)
    // A name of its own, without one below, is no group.
    if (own !== undefined) group = lower.has(column) ? own : undefined
    else if (group !== undefined && lower.has(column)) spread.set(column, group)
  }
  return spread
}

/** Returns the columns whose name another column has too; names ignore case. */
export const repeatedIn = (names: RowTexts): Set<number> => {
  const byName = Map.groupBy(names, ([, name]) => oneLine(name).toLowerCase())
  return new Set([...byName.values()].flatMap((same) => (same.length > 1 ? same.map(([one]) => one) : [])))
}

/**
 * Returns whether two rows are groups and names: names such as 'Jan' repeat, and only their groups
 * tell them apart.
 * @param isAmount whether a column has amounts below
 */
export const areGroups = (
  upper: RowTexts,
  lower: RowTexts,
  isAmount: (column: number) => boolean,
): boolean => {
  const repeated = repeatedIn(plainNames(lower))
  return (
    repeated.size > 0 && [...repeated].every(isAmount) && repeatedIn(groupedNames(upper, lower)).size === 0
  )
}

const lower = (name: string) => name.toLowerCase()

/** Returns the names with a number behind each that a column before it has: 'Valor', 'Valor 2'. */
export const numberedNames = (names: RowTexts): Map<number, string> => {
  const ordered = [...names].toSorted(([one], [other]) => one - other)
  const taken = new Set(ordered.map(([, name]) => lower(name)))
  /** The number of the next column with a name, by the name. */
  const next = new Map<string, number>()
  const numbered = ordered.map(([column, name]): [number, string] => {
    let count = next.get(lower(name)) ?? 1
    next.set(lower(name), count + 1)
    if (count === 1) return [column, name]
    while (taken.has(lower(`${name} ${count}`))) count++
    next.set(lower(name), count + 1)
    taken.add(lower(`${name} ${count}`))
    return [column, `${name} ${count}`]
  })
  return new Map(numbered)
}

/** Returns a name for a column without one, from 0, that no other column has. */
export const madeName = (column: number, names: RowTexts): string => {
  const taken = new Set([...names.values()].map(lower))
  let made = `Coluna ${column + 1}`
  for (let count = 2; taken.has(lower(made)); count++) made = `Coluna ${column + 1} (${count})`
  return made
}

export const unnamedSentence = (name: string): string =>
  `uma coluna com valores não tem nome no cabeçalho: aqui ela é ${name}`

/** A column that has the name of another one before it, and the name with a number. */
export interface Repeated {
  column: number
  earlier: number
  name: string
  numbered: string
}

/** Returns the columns whose names repeat, by the names of the file and those with numbers. */
export const repeatsOf = (given: RowTexts, numbered: RowTexts): Repeated[] => {
  const first = new Map<string, number>()
  for (const [column, name] of given) if (!first.has(lower(name))) first.set(lower(name), column)
  return [...given].flatMap(([column, name]) => {
    const own = numbered.get(column)
    if (own === undefined || own === name) return []
    return [{ column, earlier: first.get(lower(name)) ?? column, name, numbered: own }]
  })
}

/**
 * Returns a column whose name repeats, and that the table does not have by its number: then nothing
 * says which of the equal ones is the table's.
 * @param expected for each column of a table that is replaced, its possible names in lower case
 */
export const unclearRepeat = (repeats: Repeated[], expected: string[][] | undefined): Repeated | undefined =>
  expected && repeats.find((one) => !expected.some((names) => names.includes(lower(one.numbered))))

const MAX_NAMED = 8
const list = new Intl.ListFormat('pt-BR')

/** Says which names got a number. @param placeOf names a column's place in the file */
export const repeatsSentence = (
  repeats: Repeated[],
  placeOf: (column: number) => string | number,
  quotesData: boolean,
): string => {
  const shown = repeats.slice(0, MAX_NAMED).map(({ column, numbered }) => {
    const place = `a coluna ${placeOf(column)}`
    return quotesData ? `${place} é ${numbered}` : place
  })
  const more = repeats.length - shown.length
  const named = list.format(more > 0 ? [...shown, `mais ${more}`] : shown)
  return `o cabeçalho repete nomes, que aqui levam um número: ${named}`
}

/** Returns whether a row has all of these columns, each by one of its names in lower case. */
export const hasColumns = (names: RowTexts, expected: string[][]): boolean => {
  const list = [...names.values()]
  const known = new Set([...list, ...columnNames(list)].map((name) => name.toLowerCase()))
  return expected.every((one) => one.some((name) => known.has(name)))
}
