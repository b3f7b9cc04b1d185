const KEY = 'bi-manager.usuario-lembrado'

/**
 * Returns the user name that 'Lembrar Usuário' stored on this device; a password is never stored.
 */
export const rememberedUser = (): string => localStorage.getItem(KEY) ?? ''

/** Stores the user name; an empty name removes it. */
export const rememberUser = (username: string): void => {
  if (username) localStorage.setItem(KEY, username)
  else localStorage.removeItem(KEY)
}
