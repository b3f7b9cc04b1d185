import { publishingApi } from '@bi-manager/contract'
import { useEffect } from 'react'
import { callWithTransport } from '../../lib/api/api.ts'

/** The browser finishes the call after the page is closed. */
const call = callWithTransport((input, init) => fetch(input, { ...init, keepalive: true }))

/** Deletes what was sent, without waiting: the service deletes the rest after a day. */
export const discardDrafts = (ids: string[]): void => {
  for (const rascunho of ids)
    void call(publishingApi.discard, { params: { rascunho } }).catch(() => undefined)
}

/** Deletes these drafts once the page shows others, or is left, reloaded or closed. */
export const useDiscardedDrafts = (ids: string[]): void => {
  const shown = ids.join(' ')
  useEffect(() => {
    const discard = () => discardDrafts(shown.split(' ').filter(Boolean))
    // The browser may show a persisted page again, with its drafts.
    const leave = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) discard()
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      discard()
    }
  }, [shown])
}
