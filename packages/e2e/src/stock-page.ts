import type { Browser, Frame, Page } from 'playwright-core'
import type { service as PowerBi, Report, Page as ReportPage, VisualDescriptor } from 'powerbi-client'
import { onTestFinished } from 'vitest'
import { launchBrowser } from './browser.ts'
import { dataOf } from './report-frame.ts'
import { microsoftLikeHost, type StockService } from './stock-service.ts'
import { type EmbedConfiguration, embedConfiguration } from './stock-tokens.ts'
import { visit } from './visitor.ts'

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
  /** The client's object for a visual, whether the report has it or not. */
  visual: (page: ReportPage, name: string) => VisualDescriptor
  /** What the report says from the start of `action` until the event `last`, which must come. */
  during: (action: () => unknown, last: string) => Promise<Heard[]>
  /** Why a call is refused. Fails when it is not, and when there is no answer. */
  refusal: (call: Promise<unknown>) => Promise<Refusal>
}

interface Message {
  method?: string
  url?: string
  statusCode?: number
  headers?: { id?: string }
  body?: unknown
}

/** `PUT /report/filters`, what came with it, and the whole answer but its id. */
export interface Exchange {
  asked: string
  sent: unknown
  answer: Omit<Message, 'headers'> | undefined
}

declare global {
  var stock: Stock
  var powerbi: PowerBi.Service
}

export type StockPage = Awaited<ReturnType<typeof openStockPage>>

/** A browser that takes this machine for Microsoft's host. */
export const launchStockBrowser = (): Promise<Browser> =>
  launchBrowser([`--host-resolver-rules=MAP ${microsoftLikeHost} 127.0.0.1`, '--ignore-certificate-errors'])

/** A page with the unmodified client. It closes with the test, which fails on an unexpected complaint of the browser. */
export const openStockPage = async (browser: Browser, service: StockService) => {
  const { page, close, expectComplaint } = await visit(browser, { portal: service.harness })
  onTestFinished(close)
  await page.context().addInitScript(installStock)
  await page.goto(service.harness)
  return {
    page,
    expectComplaint,
    configuration: (name = 'Internações') => embedConfiguration(service, name),
    /** Embeds until the report is drawn. */
    embed: async (options: object = {}, name?: string): Promise<{ frame: Frame; heard: Heard[] }> => {
      const configuration = await embedConfiguration(service, name ?? 'Internações')
      const heard = await embedIn(page, { ...configuration, ...options }, 'rendered')
      return { frame: reportFrame(page), heard }
    },
    /** Until a frame without a load, as bootstrap makes it, says that it can take messages. */
    untilReady: () =>
      page.waitForFunction(() => stock.messages.some(({ url }) => url?.startsWith('/ready/'))),
    /** `PUT /report/filters 202`: every message that the client sent to the embed page, with the answer's status. */
    answers: async () => (await exchanges(reportFrame(page), page.mainFrame())).map(inShort),
    /** The same in the other direction: what the embed page said and the client answered. */
    announcements: async () => (await exchanges(page.mainFrame(), reportFrame(page))).map(inShort),
    /** As `answers` and `announcements`, with all that was sent and answered. */
    answersInFull: () => exchanges(reportFrame(page), page.mainFrame()),
    announcementsInFull: () => exchanges(page.mainFrame(), reportFrame(page)),
  }
}

/** Embeds into the page's first element until the event `last`. */
export const embedIn = (
  page: Page,
  configuration: EmbedConfiguration & object,
  last: string,
): Promise<Heard[]> =>
  page.evaluate(
    ([configuration, last]) =>
      stock.during(() => stock.watch(powerbi.embed(stock.element(), configuration)), last),
    [configuration, last] as const,
  )

export const reportFrame = (page: Page): Frame => {
  const frame = page.frames().find((candidate) => candidate.url().includes('/reportEmbed'))
  if (!frame) throw new Error('the report has no frame')
  return frame
}

/** The first column of what a visual shows. */
export const namesIn = async (frame: Frame, visual: string): Promise<string[]> =>
  ((await dataOf(frame))[visual] ?? []).map(([first = '']) => first)

const exchanges = async (asked: Frame, asking: Frame): Promise<Exchange[]> => {
  const [requests, answers] = await Promise.all(
    [asked, asking].map((frame) => frame.evaluate(() => stock.messages)),
  )
  return (requests ?? [])
    .filter(({ method }) => method)
    .map(({ method, url, headers: { id } = {}, body }) => {
      const { headers, ...answer } =
        answers?.find((candidate) => candidate.statusCode && candidate.headers?.id === id) ?? {}
      return { asked: `${method} ${url}`, sent: body, answer: headers && answer }
    })
}

const inShort = ({ asked, answer }: Exchange) => `${asked} ${answer?.statusCode ?? 'unanswered'}`

/** Runs in every window before its own scripts, and is sent there as text: it can use nothing of this file. */
const installStock = () => {
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
  const within = <T>(call: Promise<T>, milliseconds: number, what: string) =>
    Promise.race([
      call,
      new Promise<never>((_, reject) => setTimeout(() => reject(new Error(what)), milliseconds)),
    ])
  // The client hangs its own objects, and with them the window, on what it reports.
  const plain = (detail: unknown) =>
    JSON.parse(JSON.stringify(detail ?? null, (key, value) => (key === 'report' ? undefined : value)))
  const listeners = new Set<() => void>()

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
      await within(over, 20_000, `no ${last}, only ${stock.heard.map(([name]) => name)}`)
      return [...stock.heard]
    },
    refusal: (call) =>
      within(
        call.then(
          () => Promise.reject(new Error('the call was not refused')),
          (refusal: Refusal) => refusal,
        ),
        5000,
        'no answer',
      ),
  }
}
