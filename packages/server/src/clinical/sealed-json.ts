import type { Sealed, Secrets } from '../secrets.ts'

export const sealJson = ({ seal }: Secrets, value: object): Sealed => seal(JSON.stringify(value))

/**
 * What `sealJson` sealed; undefined where the value went with a key that is lost (`secrets:rotate -- --discard-lost`).
 * @throws Error when the text was altered, or sealed with a key that is not known
 */
export const openJson = <T extends object>({ open }: Secrets, sealed: Sealed): T | undefined =>
  sealed === '' ? undefined : (parsed(open(sealed)) as T)

/** What the parser says of a text quotes it, and errors go into the log. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('A sealed value is no JSON: it was not made for this column.')
  }
}

/** Stands for what nobody can read any more. */
export const LOST = '(perdido com a chave)'
