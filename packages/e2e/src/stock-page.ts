import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest'
import { joinBrowser, leaveBrowser } from './browser.ts'
import { dataOf } from './report-frame.ts'
import { type Heard, installStock, type Message } from './stock-script.ts'
import type { StockService } from './stock-service.ts'
import { type EmbedConfiguration, embedConfiguration } from './stock-tokens.ts'
import { type Visitor, visit } from './visitor.ts'

/** `PUT /report/filters`, what came with it, and the whole answer but its id. */
export interface Exchange {
  asked: string
  sent: unknown
  answer: Omit<Message, 'headers'> | undefined
}

export type StockPage = ReturnType<typeof callsOf>

/** Pages with the unmodified client for a file of journeys. A test fails on what the browser complains of unexpectedly. */
export const stockPages = () => {
  const service = inject('stock')
  let browser: Browser
  let shared: Visitor | undefined
  beforeAll(async () => {
    browser = await joinBrowser()
  })
  afterAll(() => leaveBrowser(browser))

  const start = async ({ harness }: StockService): Promise<Visitor> => {
    const visitor = await visit(browser, { portal: harness, ignoreHTTPSErrors: true })
    await visitor.page.context().addInitScript(installStock)
    await visitor.page.goto(harness)
    return visitor
  }
  return {
    /** An empty page of the test's own. */
    openPage: async (from = service) => {
      const { page, close, expectComplaint } = await start(from)
      onTestFinished(close)
      return { ...callsOf(page, from), expectComplaint }
    },
    /**
     * The file's one page, for what does not depend on how a frame comes to be: to open one and to fill its frame takes
     * longer than most calls. The report is loaded anew into the frame, and `answers` and the like begin after that.
     */
    openReport: async (name?: string, options: object = {}) => {
      const visitor = shared ?? (await start(service))
      shared = visitor
      const { page, complaints } = visitor
      const expected: RegExp[] = []
      onTestFinished(async ({ task }) => {
        if (task.result?.state === 'fail') {
          // The next test is to find nothing that this one left half done.
          shared = undefined
          return page.context().close()
        }
        await page.unrouteAll()
        expect(complaints.splice(0).filter((text) => !expected.some((it) => it.test(text)))).toEqual([])
      })
      const calls = callsOf(page, service)
      const { frame } = await calls.embed(options, name)
      for (const window of page.frames()) await window.evaluate(() => void stock.messages.splice(0))
      return {
        ...calls,
        frame,
        /** The first column of what a visual shows. */
        names: (visual: string) => namesIn(frame, visual),
        expectComplaint: (pattern: RegExp) => void expected.push(pattern),
      }
    },
  }
}

const callsOf = (page: Page, service: StockService) => ({
  page,
  configuration: (name = 'Internações') => embedConfiguration(service, name),
  /** Embeds until the report is drawn. */
  embed: async (options: object = {}, name?: string): Promise<{ frame: Frame; heard: Heard[] }> => {
    const configuration = await embedConfiguration(service, name ?? 'Internações')
    const heard = await embedIn(page, { ...configuration, ...options }, 'rendered')
    return { frame: reportFrame(page), heard }
  },
  /** Until a frame without a load, as bootstrap makes it, says that it can take messages. */
  untilReady: () => page.waitForFunction(() => stock.messages.some(({ url }) => url?.startsWith('/ready/'))),
  /** `PUT /report/filters 202`: every message that the client sent to the embed page, with the answer's status. */
  answers: async () => (await exchanges(reportFrame(page), page.mainFrame())).map(inShort),
  /** The same in the other direction: what the embed page said and the client answered. */
  announcements: async () => (await exchanges(page.mainFrame(), reportFrame(page))).map(inShort),
  /** As `answers` and `announcements`, with all that was sent and answered. */
  answersInFull: () => exchanges(reportFrame(page), page.mainFrame()),
  announcementsInFull: () => exchanges(page.mainFrame(), reportFrame(page)),
})

/** Embeds into the page's first element until the event `last`. */
export const embedIn = (
  page: Page,
  configuration: EmbedConfiguration & object,
  last: string,
): Promise<Heard[]> =>
  page.evaluate(
    async ([configuration, last]) => {
      await stock.untilHeard()
      return stock.during(() => stock.watch(powerbi.embed(stock.element(), configuration)), last)
    },
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

/** Pixels below the upper edge of a bar chart. */
export const FIRST_BAR = 20
