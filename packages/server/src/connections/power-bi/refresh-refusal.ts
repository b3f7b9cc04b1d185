import { Problem } from '../../platform/lib/problem.ts'
import { type ProviderRefusal, problemOfRefusal } from './provider-call.ts'

/** Maps the refusal to start a refresh to the problem that the person sees. */
export const problemOfRefreshRefusal = (refusal: ProviderRefusal): Problem => {
  const { status, message, retryAfter } = refusal
  if (alreadyRunning.test(message) || status === 409)
    return new Problem('atualizacao_em_andamento', { cause: refusal })
  if (spentRefreshes.test(message))
    return new Problem('atualizacoes_esgotadas', {
      cause: refusal,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    })
  return problemOfRefusal(refusal)
}

const alreadyRunning = /another refresh|already (executing|running|in progress)/i

/** 'Number of refresh requests in last 24 hours exceeded limit', sent with 400 or 429. */
const spentRefreshes = /refresh requests in (the )?last 24 hours|daily refresh/i
