import { useEffect, useRef, useState } from 'react'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { pause } from '../viewer/problems/time-limit.ts'

/** Milliseconds. Power BI accepts one refresh of an open report within this time. */
const betweenRefreshesMs = 15_000

interface NewDataOptions {
  /** Names the report that is open. */
  report: string
  isDrawn: boolean
  /** When the dataset was last refreshed, as far as the portal knows. */
  dataTime: string | null | undefined
  /** Draws the open report with the rows of now. */
  refresh: () => Promise<void>
}

/** Notices that the dataset was refreshed after the report on the screen had read its rows. */
export const useNewData = ({ report, isDrawn, dataTime, refresh }: NewDataOptions) => {
  /** When the rows on the screen were read (ms since the epoch). */
  const [readAt, setReadAt] = useState<number>()
  /** The data time whose offer was dismissed. */
  const [dismissed, setDismissed] = useState<string>()
  const lastRefresh = useRef(Number.NEGATIVE_INFINITY)
  /** Aborts when the report is left. */
  const leaving = useRef(new AbortController())

  // biome-ignore lint/correctness/useExhaustiveDependencies: another report reads its own rows
  useEffect(() => setReadAt(isDrawn ? serverNow() : undefined), [isDrawn, report])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another report has its own offers
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    lastRefresh.current = Number.NEGATIVE_INFINITY
    setDismissed(undefined)
    return () => controller.abort()
  }, [report])

  const refreshNow = async () => {
    const { signal } = leaving.current
    lastRefresh.current = performance.now()
    const time = serverNow()
    await refresh()
    if (!signal.aborted) setReadAt(time)
  }
  return {
    isNew:
      readAt !== undefined && dataTime != null && dataTime !== dismissed && Date.parse(dataTime) > readAt,
    refresh: refreshNow,
    /** Waits until the provider accepts another refresh; does nothing when the report is left. */
    load: async () => {
      const { signal } = leaving.current
      const waitMs = lastRefresh.current + betweenRefreshesMs - performance.now()
      if (waitMs > 0) await pause(waitMs, signal).catch(() => undefined)
      if (!signal.aborted) await refreshNow()
    },
    dismiss: () => setDismissed(dataTime ?? undefined),
  }
}
