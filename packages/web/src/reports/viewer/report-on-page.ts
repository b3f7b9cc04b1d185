import { useEffect, useSyncExternalStore } from 'react'
import { matchPath, useLocation } from 'react-router'
import { reportRoutes } from '../../lib/navigation/report-path.ts'

let marks = 0
const listeners = new Set<() => void>()

const mark = (change: 1 | -1) => {
  marks += change
  for (const listener of listeners) listener()
}

/** Marks the page as a report while mounted, for pages that may or may not have a bound report. */
export const useMarkAsReport = (isMarked: boolean): void => {
  useEffect(() => {
    if (!isMarked) return undefined
    mark(1)
    return () => mark(-1)
  }, [isMarked])
}

/** Returns whether the page shows a report: in the viewer, or bound to the page. */
export const useReportOnPage = (): boolean => {
  const { pathname } = useLocation()
  const isMarked = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => marks > 0,
  )
  return isMarked || reportRoutes.some((path) => matchPath({ path, caseSensitive: true }, pathname))
}
