import type {
  ColumnValues,
  EmbeddedReport,
  Filter,
  PageData,
  PageDataRequest,
  Target,
} from '../embed-contract.ts'
import { problem } from './problem.ts'

/** The page's own server. Every call carries the embed token in force. */
export interface DataApi {
  report(id: string, token: string, signal?: AbortSignal): Promise<EmbeddedReport>
  pageData(id: string, token: string, request: PageDataRequest, signal: AbortSignal): Promise<PageData>
  values(id: string, token: string, request: ValuesRequest, signal: AbortSignal): Promise<ColumnValues>
}
/** The filters of the other columns do not narrow the list: a list that shrinks while one picks is confusing. */
export interface ValuesRequest {
  target: Target
  search?: string
}
export type { Filter }

export const dataApi: DataApi = {
  report: async (id, token, signal) => {
    const response = await call(`/embed-api/reports/${encodeURIComponent(id)}`, token, { signal })
    const report: EmbeddedReport = await response.json()
    return { ...report, expiresAt: report.expiresAt - clockSkew(response) }
  },
  pageData: async (id, token, request, signal) =>
    (await post(`/embed-api/reports/${encodeURIComponent(id)}/data`, token, request, signal)).json(),
  values: async (id, token, request, signal) =>
    (await post(`/embed-api/reports/${encodeURIComponent(id)}/values`, token, request, signal)).json(),
}

const post = (url: string, token: string, body: unknown, signal: AbortSignal) =>
  call(url, token, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    signal,
  })

async function call(url: string, token: string, init: RequestInit): Promise<Response> {
  const headers = { ...init.headers, authorization: `EmbedToken ${token}` }
  const response = await fetch(url, { ...init, headers }).catch((cause) => {
    if (init.signal?.aborted) throw cause
    throw problem(502, 'ServiceUnavailable', sentences.ServiceUnavailable)
  })
  if (response.ok) return response
  const { error } = await response.json().catch(() => ({ error: undefined }))
  const code = typeof error?.code === 'string' ? error.code : 'LoadReportFailed'
  throw problem(response.status, code, sentences[code] ?? sentences.LoadReportFailed)
}

/** Milliseconds by which the server's clock is ahead of ours; the header only knows seconds, so small ones are noise. */
function clockSkew(response: Response): number {
  const skew = Date.parse(response.headers.get('date') ?? '') - Date.now()
  return Math.abs(skew) > 5000 ? skew : 0
}

const sentences: Record<string, string> & { LoadReportFailed: string; ServiceUnavailable: string } = {
  TokenExpired: 'O acesso a este relatório expirou.',
  PowerBINotAuthorizedException: 'Você não tem acesso a este relatório.',
  PowerBIEntityNotFound: 'Este relatório não existe mais.',
  InvalidRequest: 'O serviço de relatórios não aceitou o pedido.',
  LoadReportFailed: 'Não foi possível carregar os dados do relatório.',
  ServiceUnavailable: 'O serviço de relatórios não respondeu. Verifique sua conexão.',
}
