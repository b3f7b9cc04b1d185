import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { callFailureSentence } from './embed-problem.ts'
import {
  choiceFrom,
  nothingChosen,
  type PanelChoice,
  type PanelField,
  searchWith,
  without,
} from './panel-filters.ts'
import { portalSettings } from './portal-settings.ts'
import type { ReportFrame } from './report-frame.ts'
import { type Opening, type OpeningStatus, startOpening } from './report-opening.ts'

interface ViewedReport {
  frameElement: RefObject<HTMLDivElement | null>
  status: OpeningStatus
  retry: () => void
  dismissNotice: () => void
  refresh: () => Promise<void>
  print: () => Promise<void>
  /** Applies a choice and keeps it in the address; answers the fields that the report lacks. */
  filter: (choice: PanelChoice) => Promise<PanelField[]>
}

const opening: OpeningStatus = { phase: 'carregando' }

/** Opens the report of an address in the element that the page gives it, anew whenever the address changes. */
export const useReport = (groupId: string, reportId: string): ViewedReport => {
  const frameElement = useRef<HTMLDivElement>(null)
  const frame = useRef<Promise<ReportFrame>>(undefined)
  const current = useRef<Opening>(undefined)
  const [status, setStatus] = useState(opening)
  const [attempt, setAttempt] = useState(0)
  const [search, setSearch] = useSearchParams()
  // What of the address is in force; an address that differs (a link to the same report) is applied below.
  const inForce = useRef('')

  useEffect(() => {
    const element = frameElement.current
    if (!element) return undefined
    frame.current = undefined
    return () => {
      // A frame that never came to be needs no clearing.
      void frame.current?.then(
        (made) => made.reset(),
        () => undefined,
      )
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt opens anew, a filter in the address does not
  useEffect(() => {
    setStatus(opening)
    inForce.current = search.toString()
    const started = startOpening({
      address: { groupId, reportId },
      search,
      frame: () => frameOf(frameElement, frame),
      onStatus: (change) => setStatus((before) => ({ ...before, ...change })),
    })
    current.current = started
    return started.close
  }, [groupId, reportId, attempt])

  const operadoraRelatorio = status.operadoraRelatorio ?? ''
  const filter = useCallback(
    async (choice: PanelChoice) => {
      const missing = (await current.current?.filter(choice)) ?? []
      const kept = without(choice, missing)
      const next = searchWith(search, kept, operadoraRelatorio)
      inForce.current = next.toString()
      setStatus((before) => ({ ...before, choice: kept, missing: undefined }))
      setSearch(next, { replace: true })
      return missing
    },
    [search, setSearch, operadoraRelatorio],
  )

  const isLoaded = status.phase === 'carregado' || status.phase === 'renderizado'
  useEffect(() => {
    if (!isLoaded || inForce.current === search.toString()) return
    inForce.current = search.toString()
    filter(choiceFrom(search, operadoraRelatorio)).then(
      (missing) => setStatus((before) => ({ ...before, missing })),
      (error) => setStatus((before) => ({ ...before, notice: callFailureSentence(error) })),
    )
  }, [isLoaded, search, operadoraRelatorio, filter])

  return useMemo(
    () => ({
      frameElement,
      status,
      retry: () => setAttempt((count) => count + 1),
      dismissNotice: () => setStatus((before) => ({ ...before, notice: undefined, missing: undefined })),
      refresh: async () => current.current?.refresh(),
      print: async () => current.current?.print(),
      filter,
    }),
    [status, filter],
  )
}

export const appliedChoice = ({ choice = nothingChosen, missing = [] }: OpeningStatus): PanelChoice =>
  without(choice, missing)

/** powerbi-client is large and wants a browser: it loads here, beside the token, and with no other page. */
const frameOf = (
  element: RefObject<HTMLDivElement | null>,
  frame: RefObject<Promise<ReportFrame> | undefined>,
): Promise<ReportFrame> => {
  frame.current ??= makeFrame(element).catch((error) => {
    frame.current = undefined
    throw error
  })
  return frame.current
}

const makeFrame = async (element: RefObject<HTMLDivElement | null>): Promise<ReportFrame> => {
  const [{ biService }, { ReportFrame }, { origemEmbed }] = await Promise.all([
    import('./bi-service.ts'),
    import('./report-frame.ts'),
    portalSettings(),
  ])
  if (!element.current) throw new Error('O relatório foi fechado antes de abrir.')
  return new ReportFrame(biService(originOf(origemEmbed)), element.current)
}

const originOf = (address: string | null) => (address === null ? null : new URL(address).origin)
