import { useSyncExternalStore } from 'react'

/** Stored like a person's session, under another key: one browser may have both. */
const STORAGE_KEY = 'bi-manager.telao'

const listeners = new Set<() => void>()

const announce = () => {
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

export const currentCredential = (): string | undefined => localStorage.getItem(STORAGE_KEY) ?? undefined

export const storeCredential = (credential: string): void => {
  localStorage.setItem(STORAGE_KEY, credential)
  announce()
}

/** Forgets a credential that the server refused, unless another tab has stored a newer one. */
export const forgetCredential = (refused: string): void => {
  if (currentCredential() !== refused) return
  localStorage.removeItem(STORAGE_KEY)
  announce()
}

/** Returns the credential of this screen; undefined until an ADMIN has connected it. */
export const useCredential = (): string | undefined => useSyncExternalStore(subscribe, currentCredential)
