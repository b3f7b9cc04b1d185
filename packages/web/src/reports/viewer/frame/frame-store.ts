import { currentSession } from '../../../lib/session/session.ts'
import type { BiService } from './bi-service.ts'
import { loadReportFrame } from './load-report-frame.ts'
import { ParkedFrame } from './parked-frame.ts'
import { embedPageOf, portalSettings } from './portal-settings.ts'
import type { ReportFrame } from './report-frame.ts'

const place = document.createElement('div')
place.inert = true
Object.assign(place.style, { position: 'fixed', top: '0', left: '0', zIndex: '-1', visibility: 'hidden' })

/**
 * Returns a hidden and inert place for a frame that no page shows. It is as large as the place on a
 * report page, so that a report drawn here need not be redrawn there.
 */
const parkingPlace = (): HTMLElement => {
  if (!place.isConnected) document.body.append(place)
  Object.assign(place.style, sizeOnReportPage())
  return place
}

const sizeOnReportPage = () => {
  const page = document.getElementById('conteudo')
  if (!page) return { width: '100vw', height: '100vh' }
  // A report page has no scrollbar, so its report is wider by the width of the scrollbar here.
  const scrollbar = window.innerWidth - document.documentElement.clientWidth
  return {
    width: `${page.clientWidth + scrollbar}px`,
    height: `calc(100dvh - ${page.offsetTop}px - var(--report-toolbar-height))`,
  }
}

/**
 * Owns the frame that all report pages share: shown in the slot of a page, or parked between two
 * pages. The tab has one store.
 */
export class FrameStore {
  readonly #slots = new Set<FrameSlot>()
  #parked: ParkedFrame | undefined
  /** The frame in which a report is being opened for the next page. */
  #reserved: ReportFrame | undefined
  /** The only one: each adds a window listener that is never removed. */
  #service: BiService | undefined

  /** Returns the place of a page's report in this element. */
  slot(element: HTMLElement): FrameSlot {
    const slot = new FrameSlot(this, element)
    this.#slots.add(slot)
    return slot
  }

  /**
   * Loads the provider's page in a hidden frame: this caches its scripts, and in browsers that can
   * move a frame, the next report opens in it. Does nothing while a frame is shown. Never rejects.
   */
  async preload(): Promise<void> {
    if (!this.#mayPreload()) return
    try {
      const { frameFor, settings } = await this.#load()
      if (!this.#mayPreload() || !currentSession()) return
      const frame = frameFor(parkingPlace())
      this.#park(frame)
      frame.bootstrap(embedPageOf(settings).href, 'Relatório')
    } catch {
      // Ignored: opening a report loads the same files and shows the error.
    }
  }

  /** The frame that the next report page would show, if it can load a report at once. */
  get readyFrame(): ReportFrame | undefined {
    const [slot] = this.#slots
    const frame = slot ? slot.shown : this.#parked?.frame
    return frame?.isReady ? frame : undefined
  }

  /** Returns the `readyFrame` and reserves it for the page of the report being opened. */
  reserve(): ReportFrame | undefined {
    this.#reserved = this.readyFrame
    return this.#reserved
  }

  /** Called by a slot: shows the parked frame there, or a new one. */
  async claim(slot: FrameSlot): Promise<ReportFrame> {
    const { frameFor } = await this.#load()
    if (!this.#slots.has(slot)) throw new Error('O relatório foi fechado antes de abrir.')
    slot.shown = this.#takeParked(slot.element) ?? frameFor(slot.element)
    return slot.shown
  }

  /** Called by a slot whose page shows the reserved frame, or another one. */
  endReservation(): void {
    this.#reserved = undefined
  }

  /** Called by a slot that is left: parks its frame for the next page, or drops it. */
  giveBack(slot: FrameSlot): void {
    this.#slots.delete(slot)
    const frame = slot.shown
    if (!frame) return
    // An unfinished drawing is only worth keeping when the next page shows the same frame.
    const isWanted = !frame.isDrawing || this.#reserved === frame
    if (slot.isOfThisSession && isWanted && canMove(slot.element)) this.#park(frame)
    else frame.drop()
  }

  #mayPreload(): boolean {
    if (this.#parked && !this.#parked.isUsable) this.#dropParked()
    return this.#slots.size === 0 && !this.#parked
  }

  /**
   * powerbi-client is large and needs a browser, so it is loaded only when a report is about to
   * open.
   */
  async #load() {
    const [{ BiService, ReportFrame }, settings] = await Promise.all([loadReportFrame(), portalSettings()])
    const { origemEmbed } = settings
    this.#service ??= new BiService(origemEmbed === null ? null : new URL(origemEmbed).origin)
    const service = this.#service
    return { settings, frameFor: (element: HTMLElement) => new ReportFrame(service, element) }
  }

  #park(frame: ReportFrame): void {
    this.#dropParked()
    frame.moveTo(parkingPlace())
    this.#parked = new ParkedFrame(frame, () => this.#dropParked())
  }

  #takeParked(element: HTMLElement): ReportFrame | undefined {
    if (!this.#parked?.isUsable || !canMove(element)) {
      this.#dropParked()
      return undefined
    }
    const frame = this.#parked.release()
    this.#parked = undefined
    frame.moveTo(element)
    return frame
  }

  #dropParked(): void {
    const parked = this.#parked
    this.#parked = undefined
    parked?.drop()
  }
}

/** The place where a page shows a report. */
export class FrameSlot {
  readonly element: HTMLElement
  readonly #store: FrameStore
  readonly #session = currentSession()?.access_token
  #claim: Promise<ReportFrame> | undefined
  /** The frame that the store shows here. */
  shown: ReportFrame | undefined

  constructor(store: FrameStore, element: HTMLElement) {
    this.#store = store
    this.element = element
  }

  get isOfThisSession(): boolean {
    return this.#session !== undefined && this.#session === currentSession()?.access_token
  }

  frame(): Promise<ReportFrame> {
    this.#store.endReservation()
    this.#claim ??= this.#store.claim(this).catch((error: unknown) => {
      this.#claim = undefined
      throw error
    })
    return this.#claim
  }

  /** Call this while the element is still in the document: a detached frame loses its report. */
  leave(): void {
    this.#store.giveBack(this)
  }
}

/** Moving a frame without `moveBefore` reloads it. */
const canMove = (element: HTMLElement): boolean => 'moveBefore' in element && element.isConnected
