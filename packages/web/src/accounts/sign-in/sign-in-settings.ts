import type { PortalSettings } from '@bi-manager/contract'

/** The settings of the installation that the sign-in page needs. */
export type SignInSettings = Pick<PortalSettings, 'demonstracao' | 'entradaComSenha' | 'provedorIdentidade'>

/** What the page fetches. The announcements are not kept: they may have ended by the next visit. */
export type FetchedSettings = SignInSettings & Pick<PortalSettings, 'avisos'>

const KEY = 'bi-manager.entrada'

const usual: SignInSettings = { demonstracao: false, entradaComSenha: true, provedorIdentidade: null }

/**
 * Returns the settings this browser received last, so that the page is painted at once without a
 * later change; defaults to those of most installations.
 */
export const rememberedSettings = (): SignInSettings => {
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') }
  } catch {
    return usual
  }
}

export const rememberSettings = (settings: SignInSettings): void =>
  localStorage.setItem(KEY, JSON.stringify(settings))
