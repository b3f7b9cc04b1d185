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
  /** Only the least and the greatest. */
  bounds?: boolean
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

async function call(url: string, token: string, init: RequestInit, retries = 2): Promise<Response> {
  const headers = { ...init.headers, authorization: `EmbedToken ${token}` }
  const response = await fetch(url, { ...init, headers }).catch((cause) => {
    if (init.signal?.aborted) throw cause
    throw problem(502, 'ServiceUnavailable', sentences.ServiceUnavailable)
  })
  if (response.ok) return response
  const { error } = await response.json().catch(() => ({ error: undefined }))
  // A proxy's own page stands for a service that is away.
  const unnamed = response.status >= 502 && response.status <= 504 ? 'ServiceUnavailable' : 'LoadReportFailed'
  const code = typeof error?.code === 'string' ? error.code : unnamed
  if (code === 'ServiceBusy' && retries > 0) {
    await pause(Number(response.headers.get('retry-after')) * 1000, init.signal)
    return call(url, token, init, retries - 1)
  }
  throw problem(response.status, code, sentences[code] ?? sentences.LoadReportFailed)
}

/** Never longer than somebody would look at a skeleton; a call given up meanwhile is not made again. */
const pause = (ms: number, signal: AbortSignal | null | undefined) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(Number.isFinite(ms) ? ms : 0, 5000))
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

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
  TooManyRequests: 'O serviço de relatórios recebeu chamadas demais. Aguarde um instante e tente novamente.',
  ServiceBusy: 'O serviço de relatórios está ocupado. Aguarde um instante e tente novamente.',
  QueryTimeout: 'A consulta demorou demais. Tente novamente, ou use filtros que reduzam os dados.',
  ServiceUnavailable: 'O serviço de relatórios não respondeu. Verifique sua conexão.',
}
