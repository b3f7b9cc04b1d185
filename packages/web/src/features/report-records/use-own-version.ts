import type { Report } from '@bi-manager/contract'
import { useRef } from 'react'

/**
 * A changed logo raises the record's version under the form that is open above it. Where nobody else came between, that is
 * no conflict: the form saves on top of the version that our own changes led to.
 */
export const useOwnVersion = () => {
  const raised = useRef<{ from: number; to: number }>(undefined)
  const of = ({ versao }: Report): number => (raised.current?.from === versao ? raised.current.to : versao)
  return {
    of,
    note:
      (base: Report) =>
      ({ versao }: Report): void => {
        if (versao === of(base) + 1) raised.current = { from: base.versao, to: versao }
      },
  }
}
