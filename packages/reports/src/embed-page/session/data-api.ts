import { ownValue } from '@bi-manager/contract/own-value'
import type {
  ColumnValues,
  ColumnValuesRequest,
  EmbeddedReport,
  EmptyReasons,
  EmptyVisualsRequest,
  PageData,
  PageDataRequest,
} from '../../wire/embed-contract.ts'
import { problem } from '../state/problem.ts'

export type DataApi = typeof dataApi

/** The API of the page's own server. Every call carries the current embed token. */
export const dataApi = {
  report: async (id: string, token: string, signal?: AbortSignal): Promise<EmbeddedReport> => {
    const response = await call(`/embed-api/reports/${encodeURIComponent(id)}`, token, {
      signal: signal ?? null,
    })
    const report = await bodyOf<EmbeddedReport>(response, signal)
    return { ...report, expiresAt: report.expiresAt - clockSkew(response) }
  },
  pageData: post<PageDataRequest, PageData>('data'),
  emptyReasons: post<EmptyVisualsRequest, EmptyReasons>('empty'),
  /** Filters of other columns do not narrow the list: it would shrink during the selection. */
  values: post<ColumnValuesRequest, ColumnValues>('values'),
}

function post<Question, Answer>(name: string) {
  return async (id: string, token: string, body: Question, signal: AbortSignal): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', body: JSON.stringify(body), headers, signal }
    return bodyOf(await call(`/embed-api/reports/${encodeURIComponent(id)}/${name}`, token, init), signal)
  }
}

const call = async (url: string, token: string, init: RequestInit, retries = 2): Promise<Response> => {
  const headers = { ...init.headers, authorization: `EmbedToken ${token}` }
  const response = await fetch(url, { ...init, headers }).catch(unlessAborted(init.signal))
  if (response.ok) return response
  const { error } = await response.json().catch(() => ({ error: undefined }))
  // The error page of a proxy means that the service is unavailable.
  const unnamed = response.status >= 502 && response.status <= 504 ? 'ServiceUnavailable' : 'LoadReportFailed'
  const code = typeof error?.code === 'string' ? error.code : unnamed
  if (['ServiceBusy', 'TooManyUnreadAnswers'].includes(code) && retries > 0) {
    await pause(Number(response.headers.get('retry-after')) * 1000, init.signal)
    return call(url, token, init, retries - 1)
  }
  throw problem(response.status, code, ownValue(sentences, code) ?? sentences.LoadReportFailed)
}

/** The connection may also break while the body arrives. */
const bodyOf = <T>(response: Response, signal: AbortSignal | undefined): Promise<T> =>
  response.json().catch(unlessAborted(signal))

const unlessAborted =
  (signal: AbortSignal | null | undefined) =>
  (cause: unknown): never => {
    if (signal?.aborted) throw cause
    throw problem(502, 'ServiceUnavailable', sentences.ServiceUnavailable)
  }

/** Waits at most 5 s, the time a reader accepts a skeleton; an abort rejects at once. */
const pause = (ms: number, signal: AbortSignal | null | undefined) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(Number.isFinite(ms) ? ms : 0, 5000))
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

/**
 * Milliseconds by which the server's clock is ahead of ours. The `Date` header has a resolution of
 * one second, so small differences are ignored.
 */
const clockSkew = (response: Response): number => {
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
  TooManyUnreadAnswers:
    'Há respostas demais de relatórios ainda a caminho. Feche outras janelas, ou tente novamente em instantes.',
  ServiceBusy: 'O serviço de relatórios está ocupado. Aguarde um instante e tente novamente.',
  QueryTimeout: 'A consulta demorou demais. Tente novamente, ou use filtros que reduzam os dados.',
  ServiceUnavailable: 'O serviço de relatórios não respondeu. Verifique sua conexão.',
}
