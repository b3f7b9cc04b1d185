import type { Beneficiary } from '@bi-manager/contract'
import { useSyncExternalStore } from 'react'

/*
 * The beneficiary whose records a report asks the panel to show. In memory only: an address would
 * stay in the browser's history.
 */

let asked: Beneficiary | undefined
const listeners = new Set<() => void>()

const set = (beneficiary: Beneficiary | undefined) => {
  asked = beneficiary
  for (const listener of listeners) listener()
}

/** Opens the panel on the records of this beneficiary. */
export const askForRecords = (beneficiary: Beneficiary): void => set(beneficiary)

/** The panel shows them. */
export const recordsShown = (): void => set(undefined)

export const useAskedRecords = (): Beneficiary | undefined => useSyncExternalStore(subscribe, () => asked)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
