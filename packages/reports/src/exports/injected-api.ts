import type { FastifyInstance } from 'fastify'
import { problem } from '../embed-page/state/problem.ts'
import type { EmbeddedReport, PageData, PageDataRequest } from '../wire/embed-contract.ts'

/**
 * Creates the embed page's calls (`embed-page/session/data-api.ts`), answered in this process: the same
 * checks, queries and caches.
 */
export const createInjectedApi = (app: FastifyInstance) => {
  async function call<T>(url: string, token: string, signal: AbortSignal, body?: object): Promise<T> {
    const answer = await app.inject({
      method: body ? 'POST' : 'GET',
      url,
      signal,
      // No reader's address: calls without permission are counted by address.
      remoteAddress: '0.0.0.0',
      headers: { authorization: `EmbedToken ${token}` },
      ...(body && { payload: body }),
    })
    if (answer.statusCode === 200) return answer.json()
    const { error } = answer.json()
    throw problem(answer.statusCode, error.code, error.message)
  }
  const pathOf = (id: string) => `/embed-api/reports/${encodeURIComponent(id)}`
  return {
    report: (id: string, token: string, signal: AbortSignal): Promise<EmbeddedReport> =>
      call(pathOf(id), token, signal),
    pageData: (id: string, token: string, body: PageDataRequest, signal: AbortSignal): Promise<PageData> =>
      call(`${pathOf(id)}/data`, token, signal, body),
  }
}
