import {
  ApiProblem,
  type Call,
  type Endpoint,
  ownSessionsApi,
  type ReauthenticationMethod,
} from '@bi-manager/contract'
import { useSyncExternalStore } from 'react'

/** A call that waits until the person confirms their identity. */
interface Asked {
  meios: ReauthenticationMethod[]
  answer: (isConfirmed: boolean) => void
}

let asked: Asked | undefined
const listeners = new Set<() => void>()

const put = (next: Asked | undefined): void => {
  asked = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    // The page with the dialog was left.
    if (listeners.size === 0) answerReauthentication(false)
  }
}

/** Closes the dialog's question with its result. */
export const answerReauthentication = (isConfirmed: boolean): void => {
  const ended = asked
  put(undefined)
  ended?.answer(isConfirmed)
}

/** Returns the means that ReauthenticationDialog offers now; undefined closes it. */
export const useRequestedReauthentication = (): ReauthenticationMethod[] | undefined =>
  useSyncExternalStore(subscribe, () => asked?.meios)

/** @returns whether the person has confirmed */
const askForReauthentication = async (call: Call): Promise<boolean> => {
  const { meios } = await call(ownSessionsApi.proofs)
  // Without a dialog or any means of confirmation the page shows the refusal itself.
  if (meios.length === 0 || listeners.size === 0 || asked) return false
  return new Promise((answer) => put({ meios, answer }))
}

/** Whether the server refused a call until the person confirms their identity. */
export const requiresReauthentication = (error: unknown): boolean =>
  error instanceof ApiProblem && error.codigo === 'reautenticacao_necessaria'

/** A call that needs the own password itself has a field for it. */
const mayAsk = ({ reauthentication }: Endpoint): boolean =>
  reauthentication !== undefined && reauthentication !== 'password'

/**
 * Returns a client that asks for a re-authentication, through ReauthenticationDialog, where the API
 * requires a recent one, and repeats the call. Its calls fail with the first refusal when the person
 * does not confirm.
 */
export const withReauthentication =
  (call: Call): Call =>
  async (endpoint, input, options) => {
    try {
      return await call(endpoint, input, options)
    } catch (error) {
      if (!mayAsk(endpoint) || !requiresReauthentication(error) || !(await askForReauthentication(call)))
        throw error
      return call(endpoint, input, options)
    }
  }
