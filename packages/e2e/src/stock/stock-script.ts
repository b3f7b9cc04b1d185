import type { service as PowerBi, Report, Page as ReportPage, VisualDescriptor } from 'powerbi-client'

/** An event of powerbi-client: name and detail. */
export type ReportEvent = [name: string, detail: unknown]

/** The error with which powerbi-client's promises reject. */
export interface Refusal {
  message: string
  errorCode?: string
  detailedMessage?: string
}

/** The page's global test helper, next to the client's `powerbi`. */
interface Stock {
  /** The watched report, and its events since the last `during`. */
  report: Report
  heard: ReportEvent[]
  /** Every message received by this window. The embed page's window keeps its own list. */
  messages: Message[]
  element: (id?: string) => HTMLElement
  watch: (report: unknown) => Report
  /** Waits out the client's 100 ms debounce, which silently drops loads in quick succession. */
  untilHeard: () => Promise<void>
  /** Returns the client's object for a visual, whether or not the report has it. */
  visual: (page: ReportPage, name: string) => VisualDescriptor
  /** Returns the report's events from the start of `action` to the required event `last`. */
  during: (action: () => unknown, last: string) => Promise<ReportEvent[]>
  /** Returns the error of a refused call. @throws Error when it succeeds or is not answered */
  refusal: (call: Promise<unknown>) => Promise<Refusal>
}

export interface Message {
  method?: string
  url?: string
  statusCode?: number
  headers?: { id?: string }
  body?: unknown
}

declare global {
  var stock: Stock
  var powerbi: PowerBi.Service
}

/** Runs in every window before its own scripts. Serialised: it cannot use this module. */
export const installStock = () => {
  const names = [
    'loaded',
    'renderingStarted',
    'rendered',
    'visualRendered',
    'filtersApplied',
    'pageChanged',
    'dataSelected',
    'bookmarkApplied',
    'buttonClicked',
    'visualClicked',
    'swipeStart',
    'swipeEnd',
    'error',
  ]
  const within = <T>(call: Promise<T>, milliseconds: number, what: () => string) =>
    Promise.race([
      call,
      new Promise<never>((_, reject) => setTimeout(() => reject(new Error(what())), milliseconds)),
    ])
  // The client adds its own objects, and thus the window, to event details.
  const plain = (detail: unknown) =>
    JSON.parse(JSON.stringify(detail ?? null, (key, value) => (key === 'report' ? undefined : value)))
  const listeners = new Set<() => void>()
  let lastLoad = Number.NEGATIVE_INFINITY

  // Cloned, because the client adds its own objects to what it passes to listeners.
  window.addEventListener('message', ({ data }) => stock.messages.push(structuredClone(data)))
  globalThis.stock = {
    messages: [],
    heard: [],
    report: undefined as never,
    element: (id = 'report') => document.getElementById(id) as HTMLElement,
    watch: (embedded) => {
      const report = embedded as Report
      if (stock.report === report) return report
      const heard: ReportEvent[] = []
      for (const name of names) {
        report.on(name, ({ detail }) => {
          heard.push([name, plain(detail)])
          for (const listener of listeners) listener()
        })
      }
      stock.report = report
      stock.heard = heard
      return report
    },
    untilHeard: async () => {
      const left = lastLoad + 150 - performance.now()
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
      lastLoad = performance.now()
    },
    visual: (page, name) =>
      Reflect.construct(Reflect.get(globalThis, 'powerbi-client').VisualDescriptor, [page, name, '', '', {}]),
    during: async (action, last) => {
      stock.heard.length = 0
      await action()
      const isOver = () => stock.heard.some(([name]) => name === last)
      const over = new Promise<void>((resolve) => {
        const check = () => isOver() && resolve()
        listeners.add(check)
        check()
      })
      await within(over, 20_000, () => `no ${last}, only ${JSON.stringify(stock.heard)}`)
      return [...stock.heard]
    },
    refusal: (call) =>
      within(
        call.then(
          () => Promise.reject(new Error('the call was not refused')),
          (refusal: Refusal) => refusal,
        ),
        5000,
        () => 'no answer',
      ),
  }
}
