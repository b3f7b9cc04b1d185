import { sessionsApi } from '@bi-manager/contract'
import { call } from '../../../lib/api/api.ts'
import { lastUse } from '../../../lib/session/session.ts'

const tellEveryMs = 60_000
let isTelling = false

/**
 * Reports use inside a report to the portal, which does not see the frame's calls to the BI
 * service. Sends nothing within a minute of the last use in any tab.
 */
export const noteReportUse = async (): Promise<void> => {
  if (isTelling || Math.abs(Date.now() - lastUse()) < tellEveryMs) return
  isTelling = true
  try {
    await call(sessionsApi.current, {}, { signal: AbortSignal.timeout(15_000) })
  } catch (error) {
    // The next click reports it again; `call` handles an expired session.
    console.info('O uso do relatório não pôde ser informado.', error)
  } finally {
    isTelling = false
  }
}
