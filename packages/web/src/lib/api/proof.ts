import { ApiProblem, type Call, ownSessionsApi, type SessionProof } from '@bi-manager/contract'
import { useSyncExternalStore } from 'react'
import { call } from './api.ts'

/** A call that waits until the person confirms their identity. */
interface Asked {
  meios: SessionProof[]
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
    if (listeners.size === 0) answerProof(false)
  }
}

/** Closes the dialog's question with its result. */
export const answerProof = (isConfirmed: boolean): void => {
  const ended = asked
  put(undefined)
  ended?.answer(isConfirmed)
}

/** Returns the means that ProofDialog offers now; undefined closes it. */
export const useRequestedProof = (): SessionProof[] | undefined =>
  useSyncExternalStore(subscribe, () => asked?.meios)

/** @returns whether the person has confirmed */
const askForProof = async (): Promise<boolean> => {
  const { meios } = await call(ownSessionsApi.proofs)
  // Without a dialog or any means of confirmation the page shows the refusal itself.
  if (meios.length === 0 || listeners.size === 0 || asked) return false
  return new Promise((answer) => put({ meios, answer }))
}

/** Whether the server refused a call until the person confirms their identity. */
export const demandsProof = (error: unknown): boolean =>
  error instanceof ApiProblem && error.codigo === 'reautenticacao_necessaria'

/**
 * Calls the API. If it demands a recent proof of identity,
 * ProofDialog asks for one and the call is repeated.
 * @throws the first refusal when the person does not confirm
 */
export const callWithProof: Call = async (endpoint, input, options) => {
  try {
    return await call(endpoint, input, options)
  } catch (error) {
    if (!demandsProof(error) || !(await askForProof())) throw error
    return call(endpoint, input, options)
  }
}
