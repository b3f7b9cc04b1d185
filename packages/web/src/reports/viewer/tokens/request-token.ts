import { type EmbeddedReport, reportsApi } from '@bi-manager/contract'
import type { call } from '../../../lib/api/api.ts'
import type { ReportIds } from '../../../lib/navigation/report-path.ts'
import { completeEmbed } from './complete-embed.ts'

/**
 * Longer than the server's own limit for the provider: this covers a server that does not answer.
 */
const callLimitMs = 60_000

interface TokenRequest {
  address: ReportIds
  /** The person whose identity an ADMIN opens the report with. */
  viewAs?: number | undefined
}

/** Requests what opens a report, with a call that counts as use of the session or does not. */
export const requestToken = async (
  { address: body, viewAs }: TokenRequest,
  send: typeof call,
  signal: AbortSignal,
): Promise<EmbeddedReport> => {
  const options = { signal, limitMs: callLimitMs }
  return completeEmbed(
    viewAs === undefined
      ? await send(reportsApi.embed, { body }, options)
      : await send(reportsApi.viewAs, { params: { idUsuario: viewAs }, body }, options),
  )
}
