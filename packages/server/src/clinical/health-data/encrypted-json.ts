import type { Encrypted, Secrets } from '../../platform/config/secrets.ts'
import { Problem } from '../../platform/lib/problem.ts'
import type { EncryptionContext } from './encryption-contexts.ts'
import { reportUnreadable } from './unreadable.ts'

/** Placeholder of a value whose key was lost. */
export const LOST = '(perdido com a chave)'
/** Placeholder of a value that was altered, moved, or encrypted with an unknown key. */
export const UNREADABLE = '(não pode ser lido: alterado fora do portal, ou cifrado com uma chave que falta)'

/** The placeholder, shown in each field of the value. */
export type Placeholder = typeof LOST | typeof UNREADABLE

export const isPlaceholder = (text: unknown): text is Placeholder => text === LOST || text === UNREADABLE

export const encryptJson = ({ encrypt }: Secrets, value: object, context: EncryptionContext): Encrypted =>
  encrypt(JSON.stringify(value), context)

/**
 * Decrypts what `encryptJson` encrypted, or returns a placeholder: LOST when the key was lost
 * (`secrets:rotate --discard-lost`). Never throws, so that one bad row does not block the others.
 */
export const decryptJson = <T extends object>(
  secrets: Secrets,
  encrypted: Encrypted,
  context: EncryptionContext,
): T | Placeholder => {
  const text = decryptText(secrets, encrypted, context)
  if (isPlaceholder(text)) return text
  try {
    return JSON.parse(text) as T
  } catch {
    // The parser's message would quote the decrypted text.
    return unreadable(context, new Error('An encrypted value is not JSON.'))
  }
}

/**
 * Refuses placeholders: saved, a placeholder would become the value.
 * @throws Problem 422 that names the fields
 */
export const assertReadable = (fields: object): void => {
  const unread = Object.entries(fields).filter(([, text]) => isPlaceholder(text))
  if (unread.length === 0) return
  const campos = Object.fromEntries(unread.map(([field]) => [field, WRITE_ANEW]))
  throw new Problem('campos_invalidos', { campos })
}

const WRITE_ANEW = 'O texto guardado não pode ser lido: escreva-o de novo.'

/** Decrypts a text with its context, or returns a placeholder. */
export const decryptText = (
  { decrypt }: Secrets,
  encrypted: Encrypted,
  context: EncryptionContext,
): string | Placeholder => {
  if (encrypted === '') return LOST
  try {
    return decrypt(encrypted, context)
  } catch (error) {
    return unreadable(context, error as Error)
  }
}

/** Reports the value to the log. @returns the placeholder */
export const unreadable = (context: EncryptionContext, err: Error): Placeholder => {
  reportUnreadable({ place: context, err })
  return UNREADABLE
}
