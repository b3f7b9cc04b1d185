import type { PageData } from '../../wire/embed-contract.ts'
import type { ReportState } from '../state/report-state.ts'
import type { DataApi } from './data-api.ts'
import { initialState, type LoadOptions } from './load-options.ts'
import { loadPageData, type PageResult } from './page-data.ts'

/** Milliseconds after which prefetched data counts as stale. */
const keptMs = 10_000

interface Held {
  id: string
  token: string
  report: ReturnType<DataApi['report']>
  /** Keyed by the body of the request. */
  pages: Map<string, Promise<PageData>>
  drop: () => void
}

/**
 * Prefetches a report's definition and rows before it is opened, and draws its page out of sight
 * (`drawAhead`). The result serves one load, if that follows soon.
 */
export const createPrefetch = (
  api: DataApi,
  drawAhead: (state: ReportState, result: PageResult, signal: AbortSignal) => void,
) => {
  let held: Held | undefined

  return {
    /** Replaces the earlier prefetch and aborts its queries. Errors are ignored: a load retries. */
    begin(id: string, token: string, options: LoadOptions): void {
      held?.drop()
      const life = new AbortController()
      const pages: Held['pages'] = new Map()
      const watched: DataApi = {
        ...api,
        pageData: (...asked) => {
          const data = api.pageData(...asked)
          pages.set(keyOf(asked), data)
          return data
        },
      }
      const report = api.report(id, token, life.signal)
      const draw = async () => {
        const state = initialState(await report, options)
        const result = await loadPageData(watched, token, state, life.signal)
        // When dropped or already opened, the load draws the page.
        if (held === own) drawAhead(state, result, life.signal)
      }
      draw().catch(() => undefined)
      const timer = setTimeout(() => own.drop(), keptMs)
      const own: Held = {
        id,
        token,
        report,
        pages,
        drop: () => {
          clearTimeout(timer)
          life.abort()
          if (held === own) held = undefined
        },
      }
      held = own
    },

    /** Aborts the prefetch: queries of the visible page come first. */
    drop: (): void => held?.drop(),

    /**
     * Returns an API that serves prefetched answers of the same report and token once. It sends all
     * other calls, and those whose prefetch failed, to the server.
     */
    take(id: string, token: string, signal: AbortSignal): DataApi {
      const own = held
      if (own?.id !== id || own.token !== token) {
        own?.drop()
        return api
      }
      held = undefined
      signal.addEventListener('abort', own.drop)
      return {
        ...api,
        report: (...asked) => own.report.catch(() => api.report(...asked)),
        pageData: async (...asked) =>
          own.pages.get(keyOf(asked))?.catch(() => api.pageData(...asked)) ?? api.pageData(...asked),
      }
    },
  }
}

const keyOf = ([, , request]: Parameters<DataApi['pageData']>): string => JSON.stringify(request)
