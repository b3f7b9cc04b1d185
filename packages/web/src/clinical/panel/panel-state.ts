import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'react-router'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { useReportOnPage } from '../../reports/index.ts'
import { useDraftByKey } from '../../ui/entity-form/use-draft.ts'
import { useAskedRecords } from '../point-beneficiaries/asked-records.ts'

type PanelView = 'closed' | 'open' | 'minimised'

/** Grace period (ms) for a new page to show its report before the panel is minimised. */
const SETTLE_MS = 800

/**
 * State of the medical records panel: offered next to a report to people with the access flag. It
 * stays open across reports and is minimised on other pages, unless opened there.
 */
export const useClinicalPanel = () => {
  const { data: user } = useQuery(currentUserQuery)
  const hasAccess = user?.acessoProntuario === true
  const isBesideReport = useSettled(useReportOnPage())
  const { pathname } = useLocation()
  const draft = useDraftByKey<PanelView>('prontuarios-painel')
  const [wanted, setWanted] = useState<PanelView>(draft.restored ?? 'closed')
  const [openedAt, setOpenedAt] = useState('')
  const [openings, setOpenings] = useState(0)
  draft.keep(wanted === 'closed' ? undefined : wanted)

  const isSetAside = wanted === 'open' && !isBesideReport && openedAt !== pathname
  const shown = isSetAside ? 'minimised' : wanted
  const open = () => {
    setWanted('open')
    setOpenedAt(pathname)
    setOpenings((count) => count + 1)
  }
  const asked = useAskedRecords()
  const handleAsked = useEffectEvent(open)
  useEffect(() => {
    if (asked) handleAsked()
  }, [asked])
  return {
    /** Whether the top bar shows the panel's button. */
    isOffered: hasAccess && isBesideReport,
    view: hasAccess ? shown : 'closed',
    /** Number of times the person opened it; each moves the focus to the panel. */
    openings,
    open,
    minimise: () => setWanted('minimised'),
    close: () => setWanted('closed'),
  }
}

export type ClinicalPanelState = ReturnType<typeof useClinicalPanel>

/** Becomes true at once, and false only after SETTLE_MS. */
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
