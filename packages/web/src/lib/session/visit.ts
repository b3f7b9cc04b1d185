import { useSyncExternalStore } from 'react'

/** In this tab only: a visit ends with its tab, and a person's session is another one. */
const STORAGE_KEY = 'bi-manager.visita'

const listeners = new Set<() => void>()

const announce = () => {
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const currentVisit = (): string | undefined => sessionStorage.getItem(STORAGE_KEY) ?? undefined

export const startVisit = (credential: string): void => {
  sessionStorage.setItem(STORAGE_KEY, credential)
  announce()
}

/** Forgets a credential that has ended, unless a newer visit has begun. */
export const endVisit = (ended: string): void => {
  if (currentVisit() !== ended) return
  sessionStorage.removeItem(STORAGE_KEY)
  announce()
}

/** Returns the credential of the open visit. */
export const useVisit = (): string | undefined => useSyncExternalStore(subscribe, currentVisit)
