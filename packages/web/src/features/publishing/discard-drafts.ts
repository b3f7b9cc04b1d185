import { publishingApi } from '@bi-manager/contract'
import { useEffect } from 'react'
import { call } from '../../lib/api/api.ts'

/** Deletes what was sent, without waiting: the service deletes the rest after a day. */
export const discardDrafts = (ids: string[]): void => {
  for (const rascunho of ids)
    void call(publishingApi.discard, { params: { rascunho } }).catch(() => undefined)
}

/** Deletes these drafts once the page shows others, or is left. */
export const useDiscardedDrafts = (ids: string[]): void => {
  const shown = ids.join(' ')
  useEffect(() => () => discardDrafts(shown.split(' ').filter(Boolean)), [shown])
}
