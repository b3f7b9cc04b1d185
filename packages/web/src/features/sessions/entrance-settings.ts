import type { PortalSettings } from '@bi-manager/contract'

/** What the sign-in page must know of the installation. */
export type EntranceSettings = Pick<PortalSettings, 'demonstracao' | 'entradaComSenha' | 'provedorIdentidade'>

const KEY = 'bi-manager.entrada'

const usual: EntranceSettings = { demonstracao: false, entradaComSenha: true, provedorIdentidade: null }

/**
 * The settings that this browser heard last, so that the page is painted at once, and as it will stay; before it has heard
 * any, what nearly every installation has.
 */
export const rememberedSettings = (): EntranceSettings => {
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') }
  } catch {
    return usual
  }
}

export const rememberSettings = (settings: EntranceSettings): void =>
  localStorage.setItem(KEY, JSON.stringify(settings))
