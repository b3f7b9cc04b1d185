import type { Report } from '@bi-manager/contract'
import { useRef } from 'react'

/**
 * Tracks the versions that logo changes on this page created, so that the open form can save
 * on top of them. A version raised by another user still leads to a conflict.
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
