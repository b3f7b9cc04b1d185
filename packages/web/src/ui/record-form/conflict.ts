import { type FieldValues, isSame } from './field-values.ts'

export type Choice = 'mine' | 'theirs'

/** A field in which what was typed differs from what the server holds now. */
export interface Difference<V> {
  field: keyof V & string
  typed: unknown
  current: unknown
  /** Both changed it: nobody but the person can choose. Otherwise the change of the one who made it is proposed. */
  isContested: boolean
  proposed: Choice
}

/**
 * Compares three states of a record: as it was opened, as it was typed, as the server holds it after somebody else's change.
 */
export const differencesOf = <V extends FieldValues>(opened: V, typed: V, current: V): Difference<V>[] =>
  (Object.keys(typed) as (keyof V & string)[])
    .filter((field) => !isSame(typed[field], current[field]))
    .map((field) => {
      const isMine = !isSame(typed[field], opened[field])
      const isTheirs = !isSame(current[field], opened[field])
      return {
        field,
        typed: typed[field],
        current: current[field],
        isContested: isMine && isTheirs,
        proposed: isMine ? 'mine' : 'theirs',
      }
    })

/** The server's state with the chosen fields as they were typed. */
export const merged = <V extends FieldValues>(
  typed: V,
  current: V,
  choices: Partial<Record<keyof V, Choice>>,
): V => {
  const result = { ...current }
  for (const field of Object.keys(choices) as (keyof V)[]) {
    if (choices[field] === 'mine') result[field] = typed[field]
  }
  return result
}
