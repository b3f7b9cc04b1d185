import { sessionsApi } from '@bi-manager/contract'
import { call } from '../../../lib/api/api.ts'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import { lastUserActivity } from '../../../lib/session/session.ts'

const reportEveryMs = 60_000

/**
 * Reports use inside a report to the portal, which does not see the frame's calls to the BI
 * service. Sends nothing within a minute of the last use in any tab.
 */
export class UseReporter {
  #isReporting = false

  async report(): Promise<void> {
    if (this.#isReporting || Math.abs(serverNow() - lastUserActivity()) < reportEveryMs) return
    this.#isReporting = true
    try {
      await call(sessionsApi.current, {}, { signal: AbortSignal.timeout(15_000) })
    } catch (error) {
      // The next click reports it again; `call` handles an expired session.
      console.info('O uso do relatório não pôde ser informado.', error)
    } finally {
      this.#isReporting = false
    }
  }
}
