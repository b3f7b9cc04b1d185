import type { PageData } from '../embed-contract.ts'
import type { DataApi } from './data-api.ts'
import { initialState, type LoadOptions } from './load-options.ts'
import { loadPageData, type PageResult } from './page-data.ts'
import type { ReportState } from './report-state.ts'

/** What was asked for longer ago (ms) is not what the service would answer now. */
const keptMs = 10_000

interface Held {
  id: string
  token: string
  report: ReturnType<DataApi['report']>
  /** By what was asked. */
  pages: Map<string, Promise<PageData>>
  drop: () => void
}

/**
 * What a report takes to be drawn, asked for before anybody opens it, and drawn out of sight (`drawAhead`). It serves the load that
 * follows, if that comes soon.
 */
export function createPrefetch(
  api: DataApi,
  drawAhead: (state: ReportState, result: PageResult, signal: AbortSignal) => void,
) {
  let held: Held | undefined

  return {
    /** Takes the place of the one before, whose queries end. What fails stays untold: whoever opens the report asks anew. */
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
        // Given up, or opened meanwhile: whoever opens it draws it.
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

    /** Ends it: the queries of what is on the screen come first. */
    drop: (): void => held?.drop(),

    /** Answers, once, what was asked for ahead with the same token; all else, and what failed, is asked now. */
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
