import type { KioskRotationPage } from '@bi-manager/contract'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { callerOf } from '../../../lib/api/bearer-call.ts'
import { type BiService, loadReportFrame, portalSettings, type ReportFrame } from '../../../reports/index.ts'
import { KioskStage } from './kiosk-stage.ts'
import { KioskTokens } from './kiosk-tokens.ts'
import { type PlayerStatus, RotationPlayer } from './rotation-player.ts'

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

const kioskFrames = new KioskFrames()

const retryMs = 5_000

type Place = RefObject<HTMLDivElement | null>

/** Plays the pages in the two places. @returns the status, and the player once it is loaded */
export const usePlayer = (
  credential: string,
  pages: readonly KioskRotationPage[],
  places: readonly [Place, Place],
) => {
  const [status, setStatus] = useState<PlayerStatus>({
    shown: undefined,
    isPaused: false,
    error: undefined,
  })
  const [player, setPlayer] = useState<RotationPlayer>()
  const elements = useRef(places)
  useEffect(() => {
    const life = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const [first, second] = elements.current.map(({ current }) => current)
    const load = async () => {
      if (!first || !second) return
      const [one, other] = await kioskFrames.make([first, second])
      const tokens = new KioskTokens(callerOf(credential))
      const made = new RotationPlayer([new KioskStage(one, tokens), new KioskStage(other, tokens)], (now) => {
        if (!life.signal.aborted) setStatus(now)
      })
      const drop = () => {
        made.close()
        one.drop()
        other.drop()
      }
      if (life.signal.aborted) return drop()
      life.signal.addEventListener('abort', drop, { once: true })
      setPlayer(made)
    }
    const tryLoad = () =>
      load().catch((error: unknown) => {
        if (life.signal.aborted) return
        setStatus((before) => ({ ...before, error }))
        timer = setTimeout(tryLoad, retryMs)
      })
    void tryLoad()
    return () => {
      clearTimeout(timer)
      life.abort()
    }
  }, [credential])
  useEffect(() => player?.setPages(pages), [player, pages])
  return { status, player }
}
