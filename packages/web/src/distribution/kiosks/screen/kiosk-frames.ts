import { type BiService, loadReportFrame, portalSettings, type ReportFrame } from '../../../reports/index.ts'

/** Makes the frames of a screen. */
class KioskFrames {
  /** The only one: each adds a window listener that is never removed. */
  #service: BiService | undefined
  /** One for each place: the client keeps a route for each id that it has seen. */
  readonly #ids: string[] = []

  /** powerbi-client is large: it is loaded when a screen is connected. */
  async make(places: readonly [HTMLElement, HTMLElement]): Promise<[ReportFrame, ReportFrame]> {
    const [{ BiService, ReportFrame, newUniqueId }, { origemEmbed }] = await Promise.all([
      loadReportFrame(),
      portalSettings(),
    ])
    this.#service ??= new BiService(origemEmbed === null ? null : new URL(origemEmbed).origin)
    const service = this.#service
    const frameIn = (index: 0 | 1) => {
      const uniqueId = this.#ids[index] ?? newUniqueId()
      this.#ids[index] = uniqueId
      return new ReportFrame(service, places[index], { hasPageTabs: false, uniqueId })
    }
    return [frameIn(0), frameIn(1)]
  }
}

export const kioskFrames = new KioskFrames()
