import { startProviderSignIn } from './sign-in-api.ts'

const KEY = 'bi-manager.entrada-oidc'

/** A running sign-in at the identity provider; kept in this tab only and used once. */
export interface ProviderAttempt {
  estado: string
  nonce: string
  verificador: string
  /** The page the user asked for; validated on return. */
  destino: string | undefined
}

/**
 * Navigates the window to the provider's page.
 * @throws SignInRefused on any failure
 */
export const redirectToProvider = async (destino: string | undefined): Promise<void> => {
  const { url, estado, nonce, verificador } = await startProviderSignIn()
  const attempt: ProviderAttempt = { estado, nonce, verificador, destino }
  sessionStorage.setItem(KEY, JSON.stringify(attempt))
  window.location.assign(url)
}

/** Returns the attempt and removes it; undefined when this tab started no sign-in. */
export const takeAttempt = (): ProviderAttempt | undefined => {
  const kept = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  try {
    return kept ? (JSON.parse(kept) as ProviderAttempt) : undefined
  } catch {
    return undefined
  }
}
