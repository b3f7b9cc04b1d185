import { useEffect, useSyncExternalStore } from 'react'
import { matchPath, useLocation } from 'react-router'
import { reportRoutes } from '../lib/report-path.ts'

let marks = 0
const listeners = new Set<() => void>()

const mark = (change: 1 | -1) => {
  marks += change
  for (const listener of listeners) listener()
}

/** Says that the page is a report, as long as this is mounted: a page of its own may or may not have one bound to it. */
export const useReportMark = (isMarked: boolean): void => {
  useEffect(() => {
    if (!isMarked) return undefined
    mark(1)
    return () => mark(-1)
  }, [isMarked])
}

/** Whether the page that is shown is a report: the viewer's, or a page that has one bound to it. */
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
