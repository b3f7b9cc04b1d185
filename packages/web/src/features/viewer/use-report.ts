import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isReachable, subscribeToConnection } from '../../lib/connection.ts'
import type { ReportIds } from '../../lib/report-path.ts'
import { callFailureSentence, networkProblem } from './embed-problem.ts'
import {
  choiceFrom,
  nothingChosen,
  type PanelChoice,
  type PanelField,
  searchWith,
  without,
} from './panel-filters.ts'
import { portalSettings } from './portal-settings.ts'
import { filterPart, isPlain, searchWithPage, withoutInvalid } from './report-address.ts'
import type { ReportFrame } from './report-frame.ts'
import { type Opening, type OpeningStatus, startOpening } from './report-opening.ts'
import type { Capture, ViewContent } from './show-view.ts'

/**
 * Where a report keeps its page and filters: the address, or the page's memory where the report is only a part of it.
 */
export type ReportMemory = [
  search: URLSearchParams,
  setSearch: (next: URLSearchParams, options: { replace: true; preventScrollReset: true }) => void,
]

export interface ViewedReport {
  frameElement: RefObject<HTMLDivElement | null>
  status: OpeningStatus
  retry: () => void
  dismissNotice: () => void
  refresh: () => Promise<void>
  print: () => Promise<void>
  /** Applies a choice and keeps it in the address; answers the fields that the report lacks. */
  filter: (choice: PanelChoice) => Promise<PanelField[]>
  /** Shows a saved view, and says in the status what of it the report lacks. */
  show: (view: ViewContent) => Promise<void>
  /** What is on the screen now. */
  capture: () => Promise<ViewContent & Pick<Capture, 'isTooLong'>>
  /** Whether the address that opened it named neither page nor filter. */
  wasPlain: boolean
}

const opening: OpeningStatus = { phase: 'carregando' }

/** Opens a report in the element that the page gives it, anew whenever it is another one. */
export const useReport = (
  { groupId, reportId, idRelatorio }: ReportIds,
  [search, setSearch]: ReportMemory,
): ViewedReport => {
  const frameElement = useRef<HTMLDivElement>(null)
  const frame = useRef<Promise<ReportFrame>>(undefined)
  const current = useRef<Opening>(undefined)
  const [status, setStatus] = useState(opening)
  const [attempt, setAttempt] = useState(0)
  const [wasPlain, setPlain] = useState(false)
  // What of the address is in force; an address that differs (a link to the same report) is applied below.
  const inForce = useRef('')
  const latest = useRef({ search, setSearch })
  latest.current = { search, setSearch }
  const rewrite = useCallback((next: URLSearchParams) => {
    if (next.toString() === latest.current.search.toString()) return
    inForce.current = filterPart(next)
    latest.current.search = next
    latest.current.setSearch(next, { replace: true, preventScrollReset: true })
  }, [])

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
    const { search: valid, hadInvalidFilter } = withoutInvalid(search)
    setStatus({ ...opening, hadInvalidFilter })
    setPlain(isPlain(valid))
    inForce.current = filterPart(valid)
    rewrite(valid)
    const started = startOpening({
      address: { groupId, reportId, idRelatorio },
      search: valid,
      frame: () => frameOf(frameElement, frame),
      onStatus: (change) => setStatus((before) => ({ ...before, ...change })),
      onPage: (pageName) => rewrite(searchWithPage(latest.current.search, pageName)),
    })
    current.current = started
    return started.close
  }, [groupId, reportId, idRelatorio, attempt])

  const operadoraRelatorio = status.operadoraRelatorio ?? ''
  const filter = useCallback(
    async (choice: PanelChoice) => {
      const opened = current.current
      const missing = (await opened?.filter(choice)) ?? []
      if (opened !== current.current) return missing
      const kept = without(choice, missing)
      setStatus((before) => ({ ...before, choice: kept, missing: undefined, hadInvalidFilter: false }))
      rewrite(searchWith(latest.current.search, kept, operadoraRelatorio))
      return missing
    },
    [rewrite, operadoraRelatorio],
  )

  const show = useCallback(
    async (view: ViewContent) => {
      const opened = current.current
      const outcome = await opened?.show(view)
      if (!outcome || opened !== current.current) return
      const kept = without(view.filtros, outcome.missing)
      setStatus((before) => ({ ...before, ...outcome, choice: kept, hadInvalidFilter: false }))
      rewrite(searchWith(latest.current.search, kept, operadoraRelatorio))
    },
    [rewrite, operadoraRelatorio],
  )

  const isOffline = status.problem === networkProblem
  useEffect(() => {
    if (!isOffline) return undefined
    return subscribeToConnection(() => {
      if (isReachable()) setAttempt((count) => count + 1)
    })
  }, [isOffline])

  const isLoaded = status.phase === 'carregado' || status.phase === 'renderizado'
  useEffect(() => {
    if (!isLoaded || inForce.current === filterPart(search)) return
    inForce.current = filterPart(search)
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
      dismissNotice: () =>
        setStatus((before) => ({
          ...before,
          notice: undefined,
          missing: undefined,
          lost: undefined,
          hadInvalidFilter: false,
        })),
      refresh: async () => current.current?.refresh(),
      print: async () => current.current?.print(),
      filter,
      show,
      capture: async () => {
        if (!current.current) throw new Error('O relatório ainda não abriu.')
        return { ...(await current.current.capture()), filtros: appliedChoice(status) }
      },
      wasPlain,
    }),
    [status, filter, show, wasPlain],
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
