import { type FieldValues, isSame } from './field-values.ts'

export type Choice = 'mine' | 'theirs'

/** A field whose typed value differs from the server's current value. */
export interface Difference<V> {
  field: keyof V & string
  typed: unknown
  current: unknown
  /** Both sides changed the field. Otherwise the only change is proposed. */
  isContested: boolean
  proposed: Choice
}

/** Compares an entity's opened, typed and current (server) values, field by field. */
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

/** Returns the server's state with the fields chosen as 'mine' set to their typed values. */
export const mergeChoices = <V extends FieldValues>(
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
