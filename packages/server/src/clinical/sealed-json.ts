import { Problem } from '../problem.ts'
import type { Sealed, Secrets } from '../secrets.ts'
import type { Place } from './places.ts'
import { tellUnreadable } from './unreadable.ts'

/** Stands for what nobody can read any more. */
export const LOST = '(perdido com a chave)'
/** Stands for what was altered, moved from where it belongs, or sealed with a key that is not known. */
export const UNREADABLE = '(não pode ser lido: alterado fora do portal, ou cifrado com uma chave que falta)'

/** What is shown instead of a value, in each of its fields. */
export type Instead = typeof LOST | typeof UNREADABLE

export const isInstead = (text: unknown): text is Instead => text === LOST || text === UNREADABLE

export const sealJson = ({ seal }: Secrets, value: object, place: Place): Sealed =>
  seal(JSON.stringify(value), place)

/**
 * What `sealJson` sealed, or what is shown instead: LOST where the value went with a key that is lost (`secrets:rotate --
 * --discard-lost`). Never an error: a row that somebody spoiled does not keep others from being read.
 */
export const openJson = <T extends object>(secrets: Secrets, sealed: Sealed, place: Place): T | Instead => {
  const text = openText(secrets, sealed, place)
  if (isInstead(text)) return text
  try {
    return JSON.parse(text) as T
  } catch {
    // What the parser says of a text quotes it.
    return unreadable(place, new Error('A sealed value is no JSON.'))
  }
}

/**
 * What is shown instead of a value is no value: saved, it would be one.
 * @throws Problem 422 that names the fields
 */
export const assertReadable = (fields: object): void => {
  const unread = Object.entries(fields).filter(([, text]) => isInstead(text))
  if (unread.length === 0) return
  const campos = Object.fromEntries(unread.map(([field]) => [field, WRITE_ANEW]))
  throw new Problem('campos_invalidos', { campos })
}

const WRITE_ANEW = 'O texto guardado não pode ser lido: escreva-o de novo.'

/** A text that was sealed for this place, or what is shown instead. */
export const openText = ({ open }: Secrets, sealed: Sealed, place: Place): string | Instead => {
  if (sealed === '') return LOST
  try {
    return open(sealed, place)
  } catch (error) {
    return unreadable(place, error as Error)
  }
}

/** Tells it. @returns what is shown */
export const unreadable = (place: Place, err: Error): Instead => {
  tellUnreadable({ place, err })
  return UNREADABLE
}
