import { currentSession, subscribeToSession } from '../../../lib/session/session.ts'
import { portalSettings } from './portal-settings.ts'
import type { ReportFrame } from './report-frame.ts'

/** How long an unused frame is kept: between two report pages, or from hover to click. */
const keptMs = 20_000

/** A frame that is not ready by now is discarded: its host may be unreachable. */
const readyMs = 2_000

interface Parked {
  frame: ReportFrame
  /** Ends the parking, before the frame is shown or dropped. */
  release: () => void
  isUsable: () => boolean
}

let parked: Parked | undefined
/** The frame in which a report is being opened for the next page. */
let expected: ReportFrame | undefined
const places = new Set<FrameSlot>()

/**
 * The place where a page shows a report. Its frame is kept for a while, for the next page to reuse.
 */
export class FrameSlot {
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

  /** Call this while the element is still in the document: a detached frame loses its report. */
  leave(): void {
    this.#isLeft = true
    places.delete(this)
    const frame = this.#frame
    if (!frame) return
    const isTheirs = this.#session !== undefined && this.#session === currentSession()?.access_token
    // An unfinished drawing is only worth keeping when the next page shows the same frame.
    const isWanted = !frame.isDrawing || expected === frame
    if (isTheirs && isWanted && canMove(this.#element)) park(frame)
    else frame.drop()
  }

  /** The frame shown here, if it can load a report at once. */
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
 * Loads the provider's page in a hidden frame: this caches its scripts, and in browsers that can
 * move a frame, the next report opens in it. Does nothing while a frame is shown. Never rejects.
 */
export const preloadFrame = async (): Promise<void> => {
  if (!mayWarm()) return
  try {
    const { frameFor, origemEmbed } = await parts()
    if (!mayWarm() || !currentSession()) return
    const frame = frameFor(parkingPlace())
    park(frame)
    frame.bootstrap(new URL('/reportEmbed', origemEmbed ?? 'https://app.powerbi.com').href, 'Relatório')
  } catch {
    // Ignored: opening a report loads the same files and shows the error.
  }
}

/** Returns the frame that the next report page would show, if it can load a report at once. */
export const readyFrame = (): ReportFrame | undefined => {
  const [place] = places
  return place ? place.readyFrame : parked?.frame.isReady ? parked.frame : undefined
}

/** Returns the `readyFrame` and reserves it for the page of the report being opened. */
export const reserveReadyFrame = (): ReportFrame | undefined => {
  expected = readyFrame()
  return expected
}

const mayWarm = (): boolean => {
  if (parked && !parked.isUsable()) dropParked()
  return places.size === 0 && !parked
}

/**
 * powerbi-client is large and needs a browser, so it is loaded only when a report is about to open.
 */
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
  // A report shown to one user must not be left in the page for the next.
  const stopWatching = subscribeToSession(() => {
    if (currentSession()?.access_token !== session) dropParked()
  })
  // A frame that the portal's CSP blocked: drop it, so that opening a report shows the error.
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

/** Moving a frame without `moveBefore` reloads it. */
const canMove = (element: HTMLElement): boolean => 'moveBefore' in element && element.isConnected

let shared: HTMLElement | undefined

/**
 * Hidden and inert, and as large as the place on a report page, so that a report drawn here need
 * not be redrawn there.
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
  // A report page has no scrollbar, so its report is wider by the width of the scrollbar here.
  const scrollbar = window.innerWidth - document.documentElement.clientWidth
  return {
    width: `${page.clientWidth + scrollbar}px`,
    height: `calc(100dvh - ${page.offsetTop}px - var(--report-toolbar-height))`,
  }
}
