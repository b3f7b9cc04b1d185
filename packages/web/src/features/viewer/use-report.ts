import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ReportIds } from '../../lib/report-path.ts'
import { callFailureSentence } from './embed-problem.ts'
import { holdLoaded } from './hold-loaded.ts'
import {
  choiceFrom,
  nothingChosen,
  type PanelChoice,
  type PanelField,
  searchWith,
  without,
} from './panel-filters.ts'
import { onPhoneTurned } from './phone-layout.ts'
import { filterPart, isPlain, searchWithPage, withoutInvalid } from './report-address.ts'
import { type Opening, type OpeningStatus, startOpening } from './report-opening.ts'
import type { Capture, ViewContent } from './show-view.ts'
import { useFrame } from './use-frame.ts'
import { type ReportMemory, useKeptAddress } from './use-kept-address.ts'
import { useReopening } from './use-reopening.ts'

export interface ViewedReport {
  frameElement: RefObject<HTMLDivElement | null>
  status: OpeningStatus
  /** When (ms since the epoch) a report that did not open is tried again by itself. */
  reopensAt: number | undefined
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
/** What was said of an opening that is over, or done in it, is not so of the next. */
const unsaid: Partial<OpeningStatus> = {
  notice: undefined,
  renewalFails: undefined,
  missing: undefined,
  lost: undefined,
  isUsed: undefined,
}

/** Why a report is opened once more. */
interface Attempt {
  /** Nobody asked: the problem stays on the screen until it is solved. */
  byItself?: boolean
  /** Carries what the reader had picked over to the other layout. */
  bookmark?: string | null
}

/** Opens a report in the element that the page gives it, anew whenever it is another one. */
export const useReport = (
  { groupId, reportId, idRelatorio }: ReportIds,
  memory: ReportMemory,
): ViewedReport => {
  const [search] = memory
  const frameElement = useRef<HTMLDivElement>(null)
  const frame = useFrame(frameElement)
  const current = useRef<Opening>(undefined)
  const [status, setStatus] = useState(opening)
  const [attempt, setAttempt] = useState<Attempt>({})
  const lastAttempt = useRef(attempt)
  /** What the opening that is under way was given of the one before. */
  const carried = useRef<Attempt>({})
  const [failures, setFailures] = useState(0)
  const [wasPlain, setPlain] = useState(false)
  // What of the address is in force; an address that differs (a link to the same report) is applied below.
  const inForce = useRef('')
  const { address, setAddress, isAhead } = useKeptAddress(memory, `${groupId}/${reportId}/${idRelatorio}`)
  const rewrite = useCallback(
    (next: URLSearchParams) => {
      if (next.toString() === address().toString()) return
      inForce.current = filterPart(next)
      setAddress(next)
    },
    [address, setAddress],
  )

  // Before the page is painted, which would delay the report by as much.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt opens anew, a filter in the address does not
  useLayoutEffect(() => {
    const { search: valid, hadInvalidFilter } = withoutInvalid(address())
    // An attempt was meant for the report that it was made for.
    const { byItself = false, bookmark } = attempt === lastAttempt.current ? ({} as Attempt) : attempt
    lastAttempt.current = attempt
    carried.current = { bookmark }
    setStatus((before) => {
      if (byItself) return { ...before, ...unsaid, isReopening: true }
      return before === opening && !hadInvalidFilter ? before : { ...opening, hadInvalidFilter }
    })
    const loading = holdLoaded((change) => {
      setStatus((before) => ({ ...before, ...change }))
      if (change.phase === 'erro') setFailures((count) => count + 1)
    })
    setPlain(bookmark === undefined && isPlain(valid))
    inForce.current = filterPart(valid)
    const started = startOpening({
      address: { groupId, reportId, idRelatorio },
      search: valid,
      frame,
      byItself,
      bookmark,
      onStatus: loading.tell,
      onPage: (pageName) => rewrite(searchWithPage(address(), pageName)),
    })
    current.current = started
    return () => {
      loading.stop()
      started.close()
    }
  }, [groupId, reportId, idRelatorio, attempt])

  // biome-ignore lint/correctness/useExhaustiveDependencies: as above; the router takes no new address before this
  useEffect(() => rewrite(withoutInvalid(address()).search), [groupId, reportId, idRelatorio, attempt])

  const operadoraRelatorio = status.operadoraRelatorio ?? ''
  const filter = useCallback(
    async (choice: PanelChoice) => {
      const opened = current.current
      const missing = (await opened?.filter(choice)) ?? []
      if (opened !== current.current) return missing
      const kept = without(choice, missing)
      setStatus((before) => ({ ...before, choice: kept, missing: undefined, hadInvalidFilter: false }))
      rewrite(searchWith(address(), kept, operadoraRelatorio))
      return missing
    },
    [address, rewrite, operadoraRelatorio],
  )

  const show = useCallback(
    async (view: ViewContent) => {
      const opened = current.current
      const outcome = await opened?.show(view)
      if (!outcome || opened !== current.current) return
      const kept = without(view.filtros, outcome.missing)
      setStatus((before) => ({ ...before, ...outcome, choice: kept, hadInvalidFilter: false }))
      rewrite(searchWith(address(), kept, operadoraRelatorio))
    },
    [address, rewrite, operadoraRelatorio],
  )

  const reopensAt = useReopening(status, failures, () => setAttempt({ byItself: true }))

  const isLoaded = status.phase === 'carregado' || status.phase === 'renderizado'
  const handleTurn = useEffectEvent(() => {
    if (status.phase === 'erro') return
    const turned = current.current
    // Not loaded, it cannot tell what is picked in it: that is still what it was given.
    if (!isLoaded) return setAttempt({ ...carried.current })
    void carryOver(turned).then((next) => {
      // Another report may be there by now, or the same one opened anew.
      if (current.current === turned) setAttempt(next)
    })
  })
  // Once: whoever begins to listen between a turn and its telling never hears of it.
  useEffect(() => onPhoneTurned(() => handleTurn()), [])

  useEffect(() => {
    // A rewrite that the next one has overtaken was in force, and is not any more.
    if (!isLoaded || isAhead() || inForce.current === filterPart(search)) return
    inForce.current = filterPart(search)
    filter(choiceFrom(search, operadoraRelatorio)).then(
      (missing) => setStatus((before) => ({ ...before, missing })),
      (error) => setStatus((before) => ({ ...before, notice: callFailureSentence(error) })),
    )
  }, [isLoaded, search, operadoraRelatorio, filter, isAhead])

  return useMemo(
    () => ({
      frameElement,
      status,
      reopensAt,
      retry: () => setAttempt({}),
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
    [status, reopensAt, filter, show, wasPlain],
  )
}

/** Page and filters are in the address; what else the reader has picked goes along as a bookmark. */
const carryOver = async (opened: Opening | undefined): Promise<Attempt> => {
  try {
    return { bookmark: (await opened?.capture())?.marcador ?? null }
  } catch (error) {
    // It does not answer: it is opened as if for the first time.
    console.info('O relatório é aberto de novo, sem as seleções.', error)
    return {}
  }
}

export const appliedChoice = ({ choice = nothingChosen, missing = [] }: OpeningStatus): PanelChoice =>
  without(choice, missing)
