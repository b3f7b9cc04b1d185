import type { LiveEvent } from '@bi-manager/contract'
import { useEffect, useRef } from 'react'
import { onLiveEvent } from './live.ts'

/** Events come in bursts and to many clients: refreshes are batched and spread (ms). */
const spreadMs = 1_000

/** Calls `refresh` after live events of this kind. */
export const useLiveRefresh = (event: LiveEvent, refresh: () => void): void => {
  const latest = useRef(refresh)
  latest.current = refresh
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onLiveEvent((received) => {
      if (received !== event) return
      timer ??= setTimeout(() => {
        timer = undefined
        latest.current()
      }, Math.random() * spreadMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [event])
}
