import { sessionsApi } from '@bi-manager/contract'
import { call } from '../../lib/api.ts'
import { lastUse } from '../../lib/session.ts'

const tellEveryMs = 60_000
let isTelling = false

/**
 * Tells the server that somebody works inside the report, whose own calls go to the BI service alone. Nothing is sent
 * within a minute of the last use, whatever tab or call it came from.
 */
export const noteReportUse = async (): Promise<void> => {
  if (isTelling || Math.abs(Date.now() - lastUse()) < tellEveryMs) return
  isTelling = true
  try {
    await call(sessionsApi.current, {}, { signal: AbortSignal.timeout(15_000) })
  } catch (error) {
    // The next click tells it again; a session that has ended was dealt with by `call`.
    console.info('O uso do relatório não pôde ser informado.', error)
  } finally {
    isTelling = false
  }
}
