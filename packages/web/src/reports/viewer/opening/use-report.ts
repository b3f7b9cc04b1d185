import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ReportIds } from '../../../lib/navigation/report-path.ts'
import {
  choiceFrom,
  emptyPanelChoice,
  lackingFields,
  type NamedField,
  type PanelChoice,
  searchWith,
  without,
} from '../filters/panel-filters.ts'
import {
  filterPart,
  hasNoViewParams,
  searchWithPage,
  withoutConversation,
  withoutInvalid,
  withoutSubscription,
  withoutUnusable,
} from '../filters/report-address.ts'
import { type ReportMemory, useKeptAddress } from '../filters/use-kept-address.ts'
import { onPhoneTurned } from '../frame/phone-layout.ts'
import { useFrame } from '../frame/use-frame.ts'
import { callFailureSentence } from '../problems/embed-problem.ts'
import { delayLoadedStatus } from './delay-loaded-status.ts'
import type { OpeningStatus } from './opening-status.ts'
import { ReportOpening } from './report-opening.ts'
import { reportPreparation } from './report-preparation.ts'
import type { ViewContent } from './show-view.ts'
import { useReopening } from './use-reopening.ts'

const initialStatus: OpeningStatus = { phase: 'carregando' }
/** Clears the messages and marks of the previous opening. */
const noMessages: Partial<OpeningStatus> = {
  notice: undefined,
  renewalFails: undefined,
  needsReauthentication: undefined,
  missing: undefined,
  lostParts: undefined,
  lacksIdentity: undefined,
  isUsed: undefined,
  hasPoint: undefined,
}

/** How a report is reopened. */
interface Attempt {
  /** Automatic: the problem stays on the screen until it is solved. */
  isAutomatic?: boolean
  /** The user's selections, to restore in the other layout. */
  bookmark?: string | null
}

/**
 * Opens a report in the element that `frameElement` refers to, and again when the report changes.
 */
export const useReport = (
  { groupId, reportId, idRelatorio }: ReportIds,
  memory: ReportMemory,
  viewAs?: number,
) => {
  const [search] = memory
  const frameElement = useRef<HTMLDivElement>(null)
  const frame = useFrame(reportPreparation.frames, frameElement)
  const opening = useRef<ReportOpening>(undefined)
  const [status, setStatus] = useState(initialStatus)
  const [attempt, setAttempt] = useState<Attempt>({})
  const handledAttempt = useRef(attempt)
  /** The selections that the current opening got from the previous one. */
  const inheritedSelections = useRef<Attempt>({})
  const [failures, setFailures] = useState(0)
  const [hadNoViewParams, setHadNoViewParams] = useState(false)
  // Key of the filters in force; a URL with other filters (a link to the same report) is applied
  // below.
  const appliedFilters = useRef('')
  const { address, setAddress, isAhead } = useKeptAddress(memory, `${groupId}/${reportId}/${idRelatorio}`)
  const rewrite = useCallback(
    (next: URLSearchParams) => {
      if (next.toString() === address().toString()) return
      appliedFilters.current = filterPart(next)
      setAddress(next)
    },
    [address, setAddress],
  )

  // A layout effect, because painting the page first would delay the report.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed URL does not reopen
  useLayoutEffect(() => {
    const valid = withoutInvalid(address())
    // An attempt applies only to the report it was made for.
    const { isAutomatic = false, bookmark } = attempt === handledAttempt.current ? ({} as Attempt) : attempt
    handledAttempt.current = attempt
    inheritedSelections.current = { bookmark }
    setStatus((before) => (isAutomatic ? { ...before, ...noMessages, isReopening: true } : initialStatus))
    const loading = delayLoadedStatus((change) => {
      setStatus((before) => {
        const missing = change.missing && [...(before.missing ?? []), ...change.missing]
        return withoutMissing({ ...before, ...change, ...(missing && { missing }) }, missing)
      })
      if (change.fields) {
        const { search: usable, hadInvalidFilter, missing } = withoutUnusable(valid, change.fields)
        setStatus((before) => ({
          ...before,
          hadInvalidFilter,
          missing: missing.length > 0 ? missing : undefined,
        }))
        setHadNoViewParams(bookmark === undefined && hasNoViewParams(usable))
      }
      if (change.phase === 'erro') setFailures((count) => count + 1)
    })
    setHadNoViewParams(bookmark === undefined && hasNoViewParams(valid))
    appliedFilters.current = filterPart(valid)
    const started = new ReportOpening({
      address: { groupId, reportId, idRelatorio },
      search: valid,
      frame,
      isAutomatic,
      bookmark,
      viewAs,
      onStatus: loading.notify,
      onPage: (pageName) => rewrite(searchWithPage(address(), pageName)),
    })
    opening.current = started
    return () => {
      loading.stop()
      started.close()
    }
  }, [groupId, reportId, idRelatorio, viewAs, attempt])

  // A passive effect, because the router ignores navigations before it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => rewrite(withoutInvalid(address())), [groupId, reportId, idRelatorio, attempt])

  const { fields = noFields } = status
  // Which filters a URL may name is known with the report's panel.
  useEffect(() => {
    if (fields !== noFields) rewrite(withoutUnusable(address(), fields).search)
  }, [address, rewrite, fields])

  const filter = useCallback(
    async (choice: PanelChoice) => {
      const opened = opening.current
      const missing = (await opened?.filter(choice)) ?? []
      if (opened !== opening.current) return missing
      const kept = without(choice, missing)
      setStatus((before) => {
        const next = withoutMissing({ ...before, choice: kept, hadInvalidFilter: false }, missing)
        // The panel names them, unless it closes because nothing is left of it.
        return { ...next, missing: next.fields?.length === 0 ? missing : undefined }
      })
      rewrite(searchWith(address(), kept, fields))
      return missing
    },
    [address, rewrite, fields],
  )

  const show = useCallback(
    async (view: ViewContent) => {
      const opened = opening.current
      const outcome = await opened?.show(view)
      if (!outcome || opened !== opening.current) return
      const kept = without(view.filtros, outcome.missing)
      setStatus((before) =>
        withoutMissing({ ...before, ...outcome, choice: kept, hadInvalidFilter: false }, outcome.missing),
      )
      rewrite(searchWith(address(), kept, fields))
    },
    [address, rewrite, fields],
  )

  const reopensAt = useReopening(status, failures, () => setAttempt({ isAutomatic: true }))

  const isLoaded = status.phase === 'carregado' || status.phase === 'renderizado'
  const handleTurn = useEffectEvent(() => {
    // A paginated report has no phone layout, and would lose the parameters that the reader chose.
    if (status.phase === 'erro' || status.paginated) return
    const turned = opening.current
    // A report that has not loaded cannot provide its selections: pass on those it was given.
    if (!isLoaded) return setAttempt({ ...inheritedSelections.current })
    void captureSelections(turned).then((next) => {
      // Another opening may have replaced this one.
      if (opening.current === turned) setAttempt(next)
    })
  })
  // Subscribe once: re-subscribing can miss a rotation.
  useEffect(() => onPhoneTurned(() => handleTurn()), [])

  useEffect(() => {
    // While a newer rewrite is pending, the rendered URL is outdated.
    if (!isLoaded || isAhead() || appliedFilters.current === filterPart(search)) return
    appliedFilters.current = filterPart(search)
    const lacking = lackingFields(search, fields)
    filter(choiceFrom(search, fields)).then(
      (missing) => setStatus((before) => ({ ...before, missing: [...lacking, ...missing] })),
      (error) => setStatus((before) => ({ ...before, notice: callFailureSentence(error) })),
    )
  }, [isLoaded, search, fields, filter, isAhead])

  return useMemo(
    () => ({
      frameElement,
      status,
      /** When the next automatic attempt starts (ms since the epoch). */
      reopensAt,
      retry: () => setAttempt({}),
      /** Renews the access to the report on the screen. */
      renew: () => opening.current?.renew(),
      dismissNotice: () =>
        setStatus((before) => ({
          ...before,
          notice: undefined,
          missing: undefined,
          lostParts: undefined,
          lacksIdentity: undefined,
          hadInvalidFilter: false,
        })),
      refresh: async () => opening.current?.refresh(),
      print: async () => opening.current?.print(),
      /**
       * Applies a choice and writes it to the URL; returns the fields whose column the report
       * lacks.
       */
      filter,
      /** Applies a saved view; `status` then names the parts that the report lacks. */
      show,
      /** Returns the state on the screen. */
      capture: async () => {
        if (!opening.current) throw new Error('O relatório ainda não abriu.')
        return { ...(await opening.current.capture()), filtros: appliedChoice(status) }
      },
      /** Returns the title of the page on the screen; undefined when the service does not say. */
      pageTitle: async () => opening.current?.pageTitle(),
      /** Returns the visuals of the page on the screen that have rows. */
      pageVisuals: async () => opening.current?.pageVisuals(),
      /** Returns the page on the screen. */
      activePage: async () => {
        if (!opening.current) throw new Error('O relatório ainda não abriu.')
        return opening.current.activePage()
      },
      /** Takes the thread of comments out of the URL. */
      leaveThread: () => rewrite(withoutConversation(address())),
      /** Takes the subscription out of the URL. */
      leaveSubscription: () => rewrite(withoutSubscription(address())),
      /** Shows a Portuguese sentence above the report. */
      addNotice: (sentence: string) =>
        setStatus((before) => ({ ...before, lostParts: [...(before.lostParts ?? []), sentence] })),
      /** Returns the selected data point; undefined when none has beneficiaries behind it. */
      selectedPoint: async () => opening.current?.selectedPoint(),
      /** Whether the URL that opened the report named neither page nor filter. */
      hadNoViewParams,
    }),
    [status, reopensAt, filter, show, hadNoViewParams, address, rewrite],
  )
}

export type ViewedReport = ReturnType<typeof useReport>

const noFields: NonNullable<OpeningStatus['fields']> = []

/** Takes the selects out of the panel whose column the report turned out to lack. */
const withoutMissing = (status: OpeningStatus, missing: readonly NamedField[] = []): OpeningStatus => {
  const { fields } = status
  if (!fields || missing.length === 0) return status
  return { ...status, fields: fields.filter(({ nome }) => !missing.some((one) => one.nome === nome)) }
}

/** Captures the user's selections as a bookmark; page and filters are in the URL. */
const captureSelections = async (opened: ReportOpening | undefined): Promise<Attempt> => {
  try {
    return { bookmark: (await opened?.capture())?.marcador ?? null }
  } catch (error) {
    // The report did not answer: reopen it without its selections.
    console.info('O relatório é aberto de novo, sem as seleções.', error)
    return {}
  }
}

export const appliedChoice = ({ choice = emptyPanelChoice, missing = [] }: OpeningStatus): PanelChoice =>
  without(choice, missing)
