import { currentSession, subscribeToSession } from '../../lib/session.ts'
import { portalSettings } from './portal-settings.ts'
import type { ReportFrame } from './report-frame.ts'

/** A frame that no page shows is kept for so long: from one report page to the next, or from a hover to the click. */
const keptMs = 20_000

/** One that has not said by now that it is ready may never: its host could not be reached, or was. */
const readyMs = 2_000

interface Parked {
  frame: ReportFrame
  /** Takes it out of the parking place, to be shown or to be dropped. */
  release: () => void
  isUsable: () => boolean
}

let parked: Parked | undefined
/** A report is being opened in it for the page that comes. */
let expected: ReportFrame | undefined
const places = new Set<FramePlace>()

/** Where a page shows a report. Its frame outlives it for a while, so that the next page need not load it anew. */
export class FramePlace {
  readonly #element: HTMLElement
  readonly #session = currentSession()?.access_token
  #making: Promise<ReportFrame> | undefined
  #frame: ReportFrame | undefined
  #isLeft = false

  constructor(element: HTMLElement) {
    this.#element = element
    places.add(this)
  }

  frame(): Promise<ReportFrame> {
    expected = undefined
    this.#making ??= this.#make().catch((error: unknown) => {
      this.#making = undefined
      throw error
    })
    return this.#making
  }

  /** To be called while the element still is in the page: a frame that is taken out of it loses its report. */
  leave(): void {
    this.#isLeft = true
    places.delete(this)
    const frame = this.#frame
    if (!frame) return
    const isTheirs = this.#session !== undefined && this.#session === currentSession()?.access_token
    // What is still being drawn is not wanted any more, unless the next page is to show it.
    const isWanted = !frame.isDrawing || expected === frame
    if (isTheirs && isWanted && canMove(this.#element)) park(frame)
    else frame.drop()
  }

  /** The frame that is shown here, when it can take a report at once. */
  get readyFrame(): ReportFrame | undefined {
    return this.#frame?.isReady ? this.#frame : undefined
  }

  async #make(): Promise<ReportFrame> {
    const { frameFor } = await parts()
    if (this.#isLeft) throw new Error('O relatório foi fechado antes de abrir.')
    this.#frame = takeParked(this.#element) ?? frameFor(this.#element)
    return this.#frame
  }
}

/**
 * Loads the provider's page out of sight: its scripts are in the browser's cache from then on, and where browsers can move a
 * frame, the next report opens in it. Nothing is done while a frame is shown; a failure is no failure of anything.
 */
export const warmFrame = async (): Promise<void> => {
  if (!mayWarm()) return
  try {
    const { frameFor, origemEmbed } = await parts()
    if (!mayWarm() || !currentSession()) return
    const frame = frameFor(parkingPlace())
    park(frame)
    frame.bootstrap(new URL('/reportEmbed', origemEmbed ?? 'https://app.powerbi.com').href, 'Relatório')
  } catch {
    // Whoever opens a report loads the same, and is told.
  }
}

/** The frame that the next report page would show, when it can take a report at once. */
export const readyFrame = (): ReportFrame | undefined => {
  const [place] = places
  return place ? place.readyFrame : parked?.frame.isReady ? parked.frame : undefined
}

/** As `readyFrame`, of a report that is being opened: the frame is kept for its page. */
export const frameAhead = (): ReportFrame | undefined => {
  expected = readyFrame()
  return expected
}

const mayWarm = (): boolean => {
  if (parked && !parked.isUsable()) dropParked()
  return places.size === 0 && !parked
}

/** powerbi-client is large and wants a browser: it is loaded when a report is about to be opened, and not before. */
const parts = async () => {
  const [{ biService }, { ReportFrame }, { origemEmbed }] = await Promise.all([
    import('./bi-service.ts'),
    import('./report-frame.ts'),
    portalSettings(),
  ])
  const origin = origemEmbed === null ? null : new URL(origemEmbed).origin
  return { origemEmbed, frameFor: (element: HTMLElement) => new ReportFrame(biService(origin), element) }
}

const park = (frame: ReportFrame): void => {
  dropParked()
  frame.moveTo(parkingPlace())
  const session = currentSession()?.access_token
  const since = Date.now()
  const life = new AbortController()
  // What one person was shown must not be there for the next.
  const stopWatching = subscribeToSession(() => {
    if (currentSession()?.access_token !== session) dropParked()
  })
  // A frame that this portal's own policy keeps out: whoever opens a report is to hear of it.
  document.addEventListener(
    'securitypolicyviolation',
    ({ effectiveDirective }) => {
      if (effectiveDirective === 'frame-src') dropParked()
    },
    { signal: life.signal },
  )
  const timer = setTimeout(dropParked, keptMs)
  parked = {
    frame,
    release: () => {
      parked = undefined
      clearTimeout(timer)
      life.abort()
      stopWatching()
    },
    isUsable: () => frame.isReady || Date.now() - since < readyMs,
  }
}

const takeParked = (element: HTMLElement): ReportFrame | undefined => {
  if (!parked?.isUsable() || !canMove(element)) {
    dropParked()
    return undefined
  }
  const { frame, release } = parked
  release()
  frame.moveTo(element)
  return frame
}

const dropParked = (): void => {
  const { frame, release } = parked ?? {}
  release?.()
  frame?.drop()
}

/** Moving a frame in the older way loads it anew. */
const canMove = (element: HTMLElement): boolean => 'moveBefore' in element && element.isConnected

let shared: HTMLElement | undefined

/**
 * As large as a report page shows it, so that what is drawn in it on the way need not be drawn again there; unseen, and out of
 * reach.
 */
const parkingPlace = (): HTMLElement => {
  if (!shared?.isConnected) {
    shared = document.createElement('div')
    shared.inert = true
    Object.assign(shared.style, {
      position: 'fixed',
      top: '0',
      left: '0',
      zIndex: '-1',
      visibility: 'hidden',
    })
    document.body.append(shared)
  }
  const { width, height } = placeAhead()
  Object.assign(shared.style, { width, height })
  return shared
}

const placeAhead = () => {
  const page = document.getElementById('conteudo')
  if (!page) return { width: '100vw', height: '100vh' }
  // A report page does not scroll beside its report: what the scrollbar takes here, it has.
  const scrollbar = window.innerWidth - document.documentElement.clientWidth
  return {
    width: `${page.clientWidth + scrollbar}px`,
    height: `calc(100dvh - ${page.offsetTop}px - var(--report-toolbar-height))`,
  }
}
