import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ReportIds, reportInAddress } from '../../lib/navigation/report-path.ts'
import { countOf, menusQuery, reportPreparation } from '../../reports/index.ts'
import { preloadViewer } from '../embedded-report/preload-viewer.ts'
import { onLinkHover } from './link-rest.ts'
import { useRouter } from './router-context.ts'
import { useIdle } from './use-idle.ts'

/**
 * Prepares the opening of a report in steps: once the page is idle, the viewer's code and the
 * provider's page (on a phone, which pays for them, after the first touch); when the pointer rests
 * on a link, the embed token, definition and rows; when the
 * link is followed, the report in its frame. Does nothing with data saving on.
 */
export const useReportPrefetch = (): void => {
  const { data: menu = [] } = useQuery({ ...menusQuery, enabled: false })
  const router = useRouter()
  const isIdle = useIdle(useTouchedOrHovers() && countOf(menu) > 0)
  useEffect(() => {
    if (!isIdle || savesData()) return
    preloadViewer()
    void reportPreparation.frames.preload()
  }, [isIdle])

  useEffect(() => {
    let shown = router.state.location
    return router.subscribe(({ location }) => {
      if (location === shown) return
      const from = shown
      shown = location
      reportPreparation.loadEarly(from, location)
    })
  }, [router])

  useEffect(
    () =>
      onLinkHover((link) => {
        const report = reportBehind(link)
        if (!report || savesData()) return
        preloadViewer()
        void reportPreparation.frames.preload()
        void reportPreparation.prefetch(report, new URL(link.href).searchParams)
      }),
    [],
  )
}

/** Returns whether the device has a pointer that can rest on links, or the page was touched. */
const useTouchedOrHovers = (): boolean => {
  const [isDue, setDue] = useState(() => matchMedia('(hover: hover)').matches)
  useEffect(() => {
    if (isDue) return undefined
    const touched = () => setDue(true)
    document.addEventListener('pointerdown', touched, { once: true, passive: true })
    return () => document.removeEventListener('pointerdown', touched)
  }, [isDue])
  return isDue
}

/** Returns the report that a link opens; undefined if it is already shown. */
const reportBehind = ({ href }: HTMLAnchorElement): ReportIds | undefined => {
  const { origin, pathname, search } = new URL(href)
  const report = origin === window.location.origin ? reportInAddress({ pathname, search }) : undefined
  const shown = reportInAddress(window.location)
  const isShown = shown?.reportId === report?.reportId && shown?.idRelatorio === report?.idRelatorio
  return isShown ? undefined : report
}

const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
