import type { service as PowerBi, Report, Page as ReportPage, VisualDescriptor } from 'powerbi-client'

/** An event of powerbi-client: its name and what it carries. */
export type Heard = [name: string, detail: unknown]

/** An error as powerbi-client's promises reject with it. */
export interface Refusal {
  message: string
  errorCode?: string
  detailedMessage?: string
}

/** What journeys find in the page, beside the client's own `powerbi`. */
interface Stock {
  /** The report that was watched last, and what it has said since the last `during`. */
  report: Report
  heard: Heard[]
  /** Every message that this window got. The embed page's window keeps such a list too. */
  messages: Message[]
  element: (id?: string) => HTMLElement
  watch: (report: unknown) => Report
  /** The client skips, without a word, a load less than 100 ms after the last one: resolves when the next is heard. */
  untilHeard: () => Promise<void>
  /** The client's object for a visual, whether the report has it or not. */
  visual: (page: ReportPage, name: string) => VisualDescriptor
  /** What the report says from the start of `action` until the event `last`, which must come. */
  during: (action: () => unknown, last: string) => Promise<Heard[]>
  /** Why a call is refused. Fails when it is not, and when there is no answer. */
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

/** Runs in every window before its own scripts, and is sent there as text: it can use nothing of this file. */
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
  // The client hangs its own objects, and with them the window, on what it reports.
  const plain = (detail: unknown) =>
    JSON.parse(JSON.stringify(detail ?? null, (key, value) => (key === 'report' ? undefined : value)))
  const listeners = new Set<() => void>()
  let lastLoad = Number.NEGATIVE_INFINITY

  // As it came: the client hangs its own objects on what it hands to its listeners.
  window.addEventListener('message', ({ data }) => stock.messages.push(structuredClone(data)))
  globalThis.stock = {
    messages: [],
    heard: [],
    report: undefined as never,
    element: (id = 'report') => document.getElementById(id) as HTMLElement,
    watch: (embedded) => {
      const report = embedded as Report
      if (stock.report === report) return report
      const heard: Heard[] = []
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
