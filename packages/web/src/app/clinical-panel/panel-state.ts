import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { currentUserQuery } from '../../lib/queries.ts'
import { useDraftOf } from '../../ui/record-form/use-draft.ts'
import { useReportOnPage } from '../report-on-page.ts'

export type PanelView = 'closed' | 'open' | 'minimised'

export interface ClinicalPanelState {
  /** Whether the top bar has a button for it. */
  isOffered: boolean
  view: PanelView
  /** Counts the times that the person opened it: at each, the focus goes there. */
  openings: number
  open: () => void
  minimise: () => void
  close: () => void
}

/** A page that is on its way to its report has none yet; the panel waits for it so long. */
const SETTLE_MS = 800

/**
 * The panel of medical records beside the page: for whoever may read them, offered beside a report. It goes on when another report
 * is opened, and stays minimised beside other pages, unless it is opened there.
 */
export const useClinicalPanel = (): ClinicalPanelState => {
  const { data: user } = useQuery(currentUserQuery)
  const hasAccess = user?.acessoProntuario === true
  const isBesideReport = useSettled(useReportOnPage())
  const { pathname } = useLocation()
  const draft = useDraftOf<PanelView>('prontuarios-painel')
  const [wanted, setWanted] = useState<PanelView>(draft.restored ?? 'closed')
  const [openedAt, setOpenedAt] = useState('')
  const [openings, setOpenings] = useState(0)
  draft.keep(wanted === 'closed' ? undefined : wanted)

  const isSetAside = wanted === 'open' && !isBesideReport && openedAt !== pathname
  const shown = isSetAside ? 'minimised' : wanted
  return {
    isOffered: hasAccess && isBesideReport,
    view: hasAccess ? shown : 'closed',
    openings,
    open: () => {
      setWanted('open')
      setOpenedAt(pathname)
      setOpenings((count) => count + 1)
    },
    minimise: () => setWanted('minimised'),
    close: () => setWanted('closed'),
  }
}

/** True at once, false only when it stays so. */
const useSettled = (isNow: boolean): boolean => {
  const [wasLately, setWasLately] = useState(isNow)
  useEffect(() => {
    if (isNow) {
      setWasLately(true)
      return undefined
    }
    const timer = setTimeout(() => setWasLately(false), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [isNow])
  return isNow || wasLately
}
