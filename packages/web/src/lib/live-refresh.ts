import type { LiveEvent } from '@bi-manager/contract'
import { useEffect, useRef } from 'react'
import { onLiveEvent } from './live.ts'

/** Changes come in bursts and to many people at once: they are gathered, and spread over so long. */
const spreadMs = 1_000

/** Works anew after each live event of this kind. */
export const useLiveRefresh = (event: LiveEvent, refresh: () => void): void => {
  const latest = useRef(refresh)
  latest.current = refresh
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onLiveEvent((heard) => {
      if (heard !== event) return
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
