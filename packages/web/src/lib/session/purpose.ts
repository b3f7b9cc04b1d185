import {
  type Endpoint,
  type Permission,
  PURPOSE_HEADER,
  type PurposeCode,
  purposes,
  purposeText,
  REASON_HEADER,
} from '@bi-manager/contract'
import { useSyncExternalStore } from 'react'
import { currentSession, sessionIdOf, subscribeToSession } from './session.ts'

const STORAGE_KEY = 'bi-manager.finalidade'

/** Why the person accesses medical records in this session. */
export interface Purpose {
  code: PurposeCode
  /** The typed text of 'Outro', otherwise ''. */
  text: string
}

let known: { session: string; purpose: Purpose } | undefined
const listeners = new Set<() => void>()

/**
 * Returns the purpose chosen in this session, here or in another window. A window keeps its own
 * choice when another one changes it, so that the purpose on its screen is the one that is sent.
 */
export const currentPurpose = (): Purpose | undefined => {
  const session = sessionIdOf(currentSession())
  if (session === undefined) return undefined
  if (known?.session === session) return known.purpose
  const code = storedCode(session)
  known = code && { session, purpose: { code, text: '' } }
  return known?.purpose
}

/** Stores the choice. The text of 'Outro' may name a patient, so it is kept in memory only. */
export const choosePurpose = (code: PurposeCode, text = ''): void => {
  const session = sessionIdOf(currentSession())
  if (session === undefined) return
  known = { session, purpose: { code, text: code === 'outro' ? text.trim() : '' } }
  if (code === 'outro') localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, JSON.stringify({ session, code }))
  for (const listener of listeners) listener()
}

export const usePurpose = (): Purpose | undefined => useSyncExternalStore(subscribe, currentPurpose)

/** Returns the `X-Finalidade` header, for calls that the access log lists. */
export const purposeHeaders = ({ permission }: Pick<Endpoint, 'permission'>): Record<string, string> => {
  const purpose = isLogged(permission) ? currentPurpose() : undefined
  if (!purpose) return {}
  return { [PURPOSE_HEADER]: encoded(purposeText(purpose.code, purpose.text)) }
}

/** Returns the `X-Motivo` header of an archiving. */
export const reasonHeaders = (reason: string): Record<string, string> => ({
  [REASON_HEADER]: encoded(reason),
})

/** Percent-encodes, because headers are ASCII; encodeURIComponent throws on a lone surrogate. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Returns whether the access log lists calls of this permission. */
const isLogged = (permission: Permission): boolean =>
  permission === 'records:access' || permission === 'data-protection:manage'

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  // The session's subscription also covers other windows.
  const unsubscribe = subscribeToSession(listener)
  return () => {
    listeners.delete(listener)
    unsubscribe()
  }
}

subscribeToSession(() => {
  if (currentSession()) return
  known = undefined
  localStorage.removeItem(STORAGE_KEY)
})

const storedCode = (session: string): PurposeCode | undefined => {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<
      Record<string, unknown>
    > | null
    const code = Object.keys(purposes).find((one) => one === stored?.code)
    return stored?.session === session && code !== 'outro' ? (code as PurposeCode | undefined) : undefined
  } catch {
    return undefined
  }
}
