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

/** Why the person reads medical records in this session. */
export interface Purpose {
  code: PurposeCode
  /** What was typed for 'Outro'; '' for the others. */
  text: string
}

let known: { session: string; purpose: Purpose } | undefined
const listeners = new Set<() => void>()

/**
 * What the person answered in this session, here or in another window: asked once. A window keeps its own answer when
 * another one gives a new answer, so that nobody goes on under a purpose that they did not see.
 */
export const currentPurpose = (): Purpose | undefined => {
  const session = sessionIdOf(currentSession())
  if (session === undefined) return undefined
  if (known?.session === session) return known.purpose
  const code = storedCode(session)
  known = code && { session, purpose: { code, text: '' } }
  return known?.purpose
}

/** Of 'Outro' only this window knows: what was typed may name somebody, and never reaches the browser's storage. */
export const choosePurpose = (code: PurposeCode, text = ''): void => {
  const session = sessionIdOf(currentSession())
  if (session === undefined) return
  known = { session, purpose: { code, text: code === 'outro' ? text.trim() : '' } }
  if (code === 'outro') localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, JSON.stringify({ session, code }))
  for (const listener of listeners) listener()
}

export const usePurpose = (): Purpose | undefined => useSyncExternalStore(subscribe, currentPurpose)

/** `X-Finalidade`, for the calls whose reads and writes the access log keeps. */
export const purposeHeaders = ({ permission }: Pick<Endpoint, 'permission'>): Record<string, string> => {
  const purpose = isLogged(permission) ? currentPurpose() : undefined
  if (!purpose) return {}
  return { [PURPOSE_HEADER]: encoded(purposeText(purpose.code, purpose.text)) }
}

/** `X-Motivo`, of an archiving. */
export const reasonHeaders = (reason: string): Record<string, string> => ({
  [REASON_HEADER]: encoded(reason),
})

/** A header takes no other letters; half a surrogate pair, which a field can hold, could not be encoded. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Whatever only somebody with the access flag may call. */
const isLogged = (permission: Permission): boolean =>
  permission === 'records:access' || permission === 'data-protection:manage'

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  // It hears other windows too.
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
