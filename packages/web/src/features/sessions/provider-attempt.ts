import { startProviderSignIn } from './entrance-api.ts'

const KEY = 'bi-manager.entrada-oidc'

/** A sign-in on its way through the identity provider: kept in this tab alone, and used once. */
export interface ProviderAttempt {
  estado: string
  nonce: string
  verificador: string
  /** Where the person wanted to go; judged when they get there. */
  destino: string | undefined
}

/**
 * Leaves the portal for the provider's page.
 * @throws SignInRefused whatever went wrong; else the page is on its way out.
 */
export const leaveForProvider = async (destino: string | undefined): Promise<void> => {
  const { url, estado, nonce, verificador } = await startProviderSignIn()
  const attempt: ProviderAttempt = { estado, nonce, verificador, destino }
  sessionStorage.setItem(KEY, JSON.stringify(attempt))
  window.location.assign(url)
}

/** Gone once taken; undefined where this tab began no sign-in. */
export const takeAttempt = (): ProviderAttempt | undefined => {
  const kept = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  try {
    return kept ? (JSON.parse(kept) as ProviderAttempt) : undefined
  } catch {
    return undefined
  }
}
