import { type EmbeddedReport, type KioskRotationPage, kioskScreenApi } from '@bi-manager/contract'
import type { callerOf } from '../../../lib/api/bearer-call.ts'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import { lifeLeftMs } from '../../../reports/index.ts'

/** Milliseconds of life that a token must have besides the page's own seconds. */
const reserveMs = 5 * 60_000
const callLimitMs = 60_000

/** Keeps the embed tokens of a rotation: a page that returns every minute needs one an hour. */
export class KioskTokens {
  readonly #call: ReturnType<typeof callerOf>
  readonly #known = new Map<number, EmbeddedReport>()

  constructor(call: ReturnType<typeof callerOf>) {
    this.#call = call
  }

  /** Returns a token that outlives the next showing of the page. */
  async take(page: KioskRotationPage, signal: AbortSignal): Promise<EmbeddedReport> {
    const known = this.#known.get(page.idTelaoPagina)
    const neededMs = reserveMs + page.segundos * 1_000
    if (known && lifeLeftMs(known.expiration, serverNow()) > neededMs) return known
    return this.renew(page, signal)
  }

  async renew({ idTelaoPagina: id }: KioskRotationPage, signal: AbortSignal): Promise<EmbeddedReport> {
    const embedded = await this.#call(
      kioskScreenApi.embed,
      { params: { id } },
      { signal, limitMs: callLimitMs },
    )
    this.#known.set(id, embedded)
    return embedded
  }

  /** Forgets a token that may be the cause of a failure. */
  forget({ idTelaoPagina }: KioskRotationPage): void {
    this.#known.delete(idTelaoPagina)
  }
}
