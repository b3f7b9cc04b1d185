const KEY = 'bi-manager.usuario-lembrado'

/** The user name that 'Lembrar Usuário' left on this device; never a password. */
export const rememberedUser = (): string => localStorage.getItem(KEY) ?? ''

/** An empty name forgets. */
export const rememberUser = (username: string): void => {
  if (username) localStorage.setItem(KEY, username)
  else localStorage.removeItem(KEY)
}
