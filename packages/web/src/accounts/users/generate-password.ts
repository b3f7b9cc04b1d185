/**
 * The character classes of generated passwords, each of which a password contains. The product
 * specification lists them; it leaves out the capital K.
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
 * Returns 16 characters from a cryptographic source; all passwords are equally likely. A draw that
 * lacks a class (one in four) is discarded: inserting the missing character would favour some
 * passwords.
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

/**
 * Draws again when the byte is not below the greatest multiple of the alphabet's length: otherwise
 * the first characters of the alphabet would be more likely (modulo bias).
 */
const drawCharacter = (): string => {
  const limit = 256 - (256 % alphabet.length)
  for (;;) {
    // The default is for TypeScript only: the array has one byte.
    const [byte = limit] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < limit) return alphabet.charAt(byte % alphabet.length)
  }
}
