import { type EmbeddedReport, panelFieldsOf, reportsApi } from '@bi-manager/contract'
import type { call } from '../../../lib/api/api.ts'
import type { ReportIds } from '../../../lib/navigation/report-path.ts'

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

/** Fields that 0.2.0 does not send. A field that is added to the answer belongs here. */
type LaterField = 'filtrosPainel' | 'tipoRelatorio' | 'parametros' | 'painelParametros' | 'comentarios'

type EmbedAnswer = Omit<EmbeddedReport, LaterField> & Partial<Pick<EmbeddedReport, LaterField>>

/**
 * Adds what a portal of an earlier version does not send: during a rolling upgrade (ADR 0039)
 * it answers pages of this version. The report is then interactive, declares no panel filters and
 * has no comments.
 */
const completeEmbed = (answer: EmbedAnswer): EmbeddedReport => ({
  tipoRelatorio: 'INTERATIVO',
  parametros: [],
  painelParametros: true,
  comentarios: false,
  ...answer,
  filtrosPainel: answer.filtrosPainel ?? panelFieldsOf({ operadora: answer.operadoraRelatorio }),
})
