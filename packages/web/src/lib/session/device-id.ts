const STORAGE_KEY = 'bi-manager.aparelho'

/**
 * Returns a random id of this browser, created once and sent with each sign-in. The server counts
 * attempts of a known device separately, so that guesses from elsewhere cannot lock its owner out.
 * It survives sign-out and identifies no person.
 */
export const deviceId = (): string => {
  const kept = localStorage.getItem(STORAGE_KEY)
  if (kept && /^[0-9a-f]{48}$/.test(kept)) return kept
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  localStorage.setItem(STORAGE_KEY, id)
  return id
}
