import { Problem } from '../../platform/lib/problem.ts'
import { type ProviderRefusal, problemOfRefusal } from './provider-call.ts'

/** Maps the refusal of an export to the problem that the user sees. */
export const problemOfExportRefusal = (refusal: ProviderRefusal): Problem => {
  const { status, message } = refusal
  const isPaused = /CapacityNotActive|paused/i.test(message)
  const isUnsupported =
    status === 405 || status === 501 || /not ?supported|unsupported|not ?available|premium/i.test(message)
  if (isUnsupported && !isPaused && status !== 429)
    return new Problem('exportacao_nao_suportada', { cause: refusal })
  const problem = problemOfRefusal(refusal)
  // The request carries the user's choice: a page or filters of a report that has since changed.
  return status === 400 && problem.codigo === 'bi_resposta_invalida'
    ? new Problem('exportacao_recusada', { cause: refusal })
    : problem
}

/** The provider deletes an export after some hours. */
export const problemOfMissingExport = (refusal: ProviderRefusal): Problem =>
  refusal.status === 404 || refusal.status === 410
    ? new Problem('exportacao_inexistente', { cause: refusal })
    : problemOfRefusal(refusal)
