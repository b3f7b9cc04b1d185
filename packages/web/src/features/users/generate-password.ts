/**
 * From the specification: digits, lower case, upper case without K, symbols; at least one of each.
 */
export const passwordClasses = {
  digits: '0123456789',
  lower: 'abcdefghijklmnopqrstuvwxyz',
  upper: 'ABCDEFGHIJLMNOPQRSTUVWXYZ',
  symbols: '!@#$%&*',
} as const

export const PASSWORD_LENGTH = 16

const alphabet = Object.values(passwordClasses).join('')

/**
 * Returns 16 characters from a cryptographic source, each equally likely. A draw that lacks a class
 * (about one in three) is discarded: inserting the missing character would favour some passwords.
 */
export const generatePassword = (): string => {
  for (;;) {
    const password = Array.from({ length: PASSWORD_LENGTH }, drawCharacter).join('')
    if (hasEveryClass(password)) return password
  }
}

/**
 * Returns a password for a CSV file that does not start with '@': a spreadsheet would run the cell
 * as a formula, and escaping it would show a different password.
 */
export const generatePasswordForSheet = (): string => {
  for (;;) {
    const password = generatePassword()
    if (!password.startsWith('@')) return password
  }
}

const hasEveryClass = (password: string): boolean =>
  Object.values(passwordClasses).every((characters) => [...password].some((one) => characters.includes(one)))

/** Redraws bytes above the last multiple of the alphabet's length, to avoid modulo bias. */
const drawCharacter = (): string => {
  const limit = 256 - (256 % alphabet.length)
  for (;;) {
    const [byte = limit] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < limit) return alphabet.charAt(byte % alphabet.length)
  }
}
