import { ApiProblem, type KioskRotationPage } from '@bi-manager/contract'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import {
  endsReport,
  keepTokenFresh,
  lifeLeftMs,
  type Renewal,
  type ReportFrame,
  tokenExpired,
  withTimeLimit,
} from '../../../reports/index.ts'
import type { KioskTokens } from './kiosk-tokens.ts'
import type { Stage } from './rotation-player.ts'

const drawingLimitMs = 60_000
const nothing = () => undefined

/** One of the two stages of a screen: it draws the next page while the other one is shown. */
export class KioskStage implements Stage {
  readonly #frame: Pick<ReportFrame, 'open' | 'reset'>
  readonly #tokens: KioskTokens
  #life = new AbortController()
  #renewal: Renewal | undefined

  constructor(frame: Pick<ReportFrame, 'open' | 'reset'>, tokens: KioskTokens) {
    this.#frame = frame
    this.#tokens = tokens
  }

  async draw(page: KioskRotationPage, preparing: AbortSignal): Promise<void> {
    this.#end()
    this.#life = new AbortController()
    const signal = AbortSignal.any([preparing, this.#life.signal])
    try {
      await this.#open(page, signal)
    } catch (error) {
      // An aborted preparation keeps its token, and the next one uses the frame.
      if (!signal.aborted) {
        this.#tokens.forget(page)
        this.clear()
      }
      throw error
    }
  }

  clear(): void {
    this.#end()
    this.#frame.reset()
  }

  #end(): void {
    this.#life.abort()
    this.#renewal?.stop()
    this.#renewal = undefined
  }

  async #open(page: KioskRotationPage, signal: AbortSignal): Promise<void> {
    const embedded = await this.#tokens.take(page, signal)
    signal.throwIfAborted()
    const { promise: drawn, resolve, reject } = Promise.withResolvers<void>()
    // Handles the rejection when `open` throws first, so that this promise is not awaited.
    drawn.catch(nothing)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    const report = await this.#frame.open(
      embedded,
      { drawLater: false, hasVisualMenus: false, signal },
      {
        onLoaded: nothing,
        onRenderingStarted: nothing,
        onRendered: resolve,
        onPageChanged: nothing,
        onDataSelected: nothing,
        onIdentityMissing: nothing,
        onError: (error) => {
          if (error.message === tokenExpired) this.#renewal?.renewNow()
          // Once drawn, the page stays on the screen: it is drawn again in its next turn.
          reject(error)
        },
      },
    )
    await withTimeLimit(drawn, drawingLimitMs)
    signal.throwIfAborted()
    this.#renewal = keepTokenFresh({
      lifeMs: lifeLeftMs(embedded.expiration, serverNow()),
      renew: async () => {
        const { embedToken, expiration } = await this.#tokens.renew(page, signal)
        await report.setAccessToken(embedToken)
        return lifeLeftMs(expiration, serverNow())
      },
      onFailure: (error) => {
        if (endsReport(error)) return 'stop'
        return error instanceof ApiProblem ? error.retryAfter : undefined
      },
    })
  }
}
