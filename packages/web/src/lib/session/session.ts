import type { Actor, BlockingPending, SignedIn } from '@bi-manager/contract'
// Not from the index: the sign-in page loads this file, and the index adds the API's schemas.
import { isBlocking } from '@bi-manager/contract/pending-step'
import { useSyncExternalStore } from 'react'
import { earliestServerNow, serverNow } from '../clock/server-clock.ts'

const STORAGE_KEY = 'bi-manager.sessao'
const LAST_ACTIVITY_KEY = 'bi-manager.ultimo-uso'
const END_KEY = 'bi-manager.fim-da-sessao'

/** Begins the keys of what the portal keeps in localStorage until the session ends. */
export const OF_SESSION = 'bi-manager.sessao.'

export type Session = Pick<
  SignedIn,
  'access_token' | 'usuario_id' | 'client_id' | 'tipo' | 'nome' | 'pendencia'
>

/** How this tab's last session ended: sign-out or expiry. */
export type SessionEnd = 'saiu' | 'terminou'

let known: { raw: string | null; session: Session | undefined } = { raw: null, session: undefined }
let lastEnd: SessionEnd | undefined
const listeners = new Set<() => void>()

/** Returns the stored session, or undefined when there is none or its token has expired. */
export const currentSession = (): Session | undefined => {
  const raw = localStorage.getItem(STORAGE_KEY)
  if (raw !== known.raw) known = { raw, session: parse(raw) }
  if (!known.session) return undefined
  if (expiryOf(known.session.access_token) > earliestServerNow()) return known.session
  lastEnd = 'terminou'
  return undefined
}

export const startSession = (signedIn: SignedIn): void => {
  lastEnd = undefined
  localStorage.removeItem(END_KEY)
  writeUserActivity()
  const { access_token, usuario_id, client_id, tipo, nome, pendencia } = signedIn
  keep({ access_token, usuario_id, client_id, tipo, nome, pendencia })
}

/** Stores that the pending step is done; `next` is the following one. */
export const completePendingStep = (next: Session['pendencia'] = null): void => {
  const session = currentSession()
  if (session) keep({ ...session, pendencia: next })
}

/** Updates the person's name. */
export const renameSession = (nome: string): void => {
  const session = currentSession()
  if (session) keep({ ...session, nome })
}

/** Stores that the server refuses this token's calls until the person completes `pendencia`. */
export const requirePendingStep = (token: string, pendencia: BlockingPending): void => {
  const session = currentSession()
  if (session?.access_token === token) keep({ ...session, pendencia })
}

/** Returns whether the portal redirects the person, to sign in or to a pending step. */
export const isRedirecting = (): boolean => isBlocking(currentSession()?.pendencia) || lastEnd === 'terminou'

const keep = (session: Session): void => {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(session))
  announce()
}

export const endSession = (end: SessionEnd): void => {
  lastEnd = end
  // Before the session is removed, so that other tabs find the reason.
  localStorage.setItem(END_KEY, end)
  localStorage.removeItem(STORAGE_KEY)
  localStorage.removeItem(LAST_ACTIVITY_KEY)
  for (const key of Object.keys(localStorage)) if (key.startsWith(OF_SESSION)) localStorage.removeItem(key)
  announce()
}

/** Calls `listener` when this tab or another one signs in or out. */
export const subscribeToSession = (listener: () => void): (() => void) => {
  const hear = () => {
    hearEnd()
    listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', hear)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', hear)
  }
}

export const useSession = (): Session | undefined => useSyncExternalStore(subscribeToSession, currentSession)

export const sessionEnd = (): SessionEnd | undefined => lastEnd

export const useSessionEnd = (): SessionEnd | undefined =>
  useSyncExternalStore(subscribeToSession, sessionEnd)

/** Returns the actor for `can()`, which only decides what is shown: the server enforces it. */
export const actorOf = (session: Session | undefined): Actor | undefined =>
  session && { tipo: session.tipo, acessoProntuario: false, encarregadoDados: false }

/** Returns when (ms) a token expires by its `exp`, without tolerance; 0 if it cannot be read. */
export const expiryOf = (token: string): number => {
  const exp = claimOf(token, 'exp')
  return typeof exp === 'number' ? exp * 1000 : 0
}

/** Returns the session's id on the server (`jti`), which is not secret. */
export const sessionIdOf = (session: Session | undefined): string | undefined => {
  const jti = session && claimOf(session.access_token, 'jti')
  return typeof jti === 'string' ? jti : undefined
}

/** Stores that a call restarted the server's idle timer (not background ones). */
export const writeUserActivity = (): void => localStorage.setItem(LAST_ACTIVITY_KEY, String(serverNow()))

/** Returns the server's time (ms) of the last such call; 0 when unknown. */
export const lastUserActivity = (): number => Number(localStorage.getItem(LAST_ACTIVITY_KEY)) || 0

/** Adopts the reason why another tab ended the session. */
const hearEnd = () => {
  const end = localStorage.getItem(END_KEY)
  if (end === 'saiu' || end === 'terminou') lastEnd = end
  else if (currentSession()) lastEnd = undefined
}

const announce = () => {
  for (const listener of listeners) listener()
}

const claimOf = (token: string, name: 'exp' | 'jti'): unknown => {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    return (JSON.parse(atob(payload)) as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}

const parse = (raw: string | null): Session | undefined => {
  try {
    const stored = JSON.parse(raw ?? 'null') as Partial<Session> | null
    return typeof stored?.access_token === 'string' ? (stored as Session) : undefined
  } catch {
    return undefined
  }
}
