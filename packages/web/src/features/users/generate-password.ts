/** The product's rule: digits, lower case, upper case without K, and these symbols; one of each at least. */
export const passwordClasses = {
  digits: '0123456789',
  lower: 'abcdefghijklmnopqrstuvwxyz',
  upper: 'ABCDEFGHIJLMNOPQRSTUVWXYZ',
  symbols: '!@#$%&*',
} as const

export const PASSWORD_LENGTH = 16

const alphabet = Object.values(passwordClasses).join('')

/**
 * 16 characters from a cryptographic source, each equally likely. A draw that lacks a class is thrown away whole (about one in
 * three): putting the missing character in by hand would favour some passwords.
 */
export const generatePassword = (): string => {
  for (;;) {
    const password = Array.from({ length: PASSWORD_LENGTH }, drawCharacter).join('')
    if (hasEveryClass(password)) return password
  }
}

/**
 * For a file that a spreadsheet opens: it would run a cell that begins with @ as a formula, and escaping it would show another
 * password than the one that was set.
 */
export const generatePasswordForSheet = (): string => {
  for (;;) {
    const password = generatePassword()
    if (!password.startsWith('@')) return password
  }
}

const hasEveryClass = (password: string): boolean =>
  Object.values(passwordClasses).every((characters) => [...password].some((one) => characters.includes(one)))

/** Bytes beyond the last whole multiple of the alphabet are drawn again: a remainder would favour its first characters. */
const drawCharacter = (): string => {
  const limit = 256 - (256 % alphabet.length)
  for (;;) {
    const [byte = limit] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < limit) return alphabet.charAt(byte % alphabet.length)
  }
}
