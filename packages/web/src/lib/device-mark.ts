const STORAGE_KEY = 'bi-manager.aparelho'

/**
 * A random mark of this browser, made once and sent with each sign-in. A device that an account has signed in from keeps an
 * allowance of its own: whoever guesses passwords from elsewhere cannot lock its owner out. It survives sign-out and says
 * nothing about the person.
 */
export const deviceMark = (): string => {
  const kept = localStorage.getItem(STORAGE_KEY)
  if (kept && /^[0-9a-f]{48}$/.test(kept)) return kept
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  const mark = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  localStorage.setItem(STORAGE_KEY, mark)
  return mark
}
