import type { Frame, Page } from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'
import { dataOf } from '../browser/report-frame.ts'
import { type Visitor, visit } from '../browser/visitor.ts'
import { installStock, type Message, type ReportEvent } from './stock-script.ts'
import type { StockService } from './stock-service.ts'
import { type EmbedConfiguration, embedConfiguration } from './stock-tokens.ts'

/** A request such as `PUT /report/filters`, its body, and the answer without its id. */
interface Exchange {
  asked: string
  sent: unknown
  answer: Omit<Message, 'headers'> | undefined
}

export type StockPage = ReturnType<typeof callsOf>

/** Opens pages with the unmodified client; unexpected console errors fail the test. */
export const stockPages = () => {
  const service = inject('stock')
  let shared: Visitor | undefined

  const start = async ({ harness }: StockService): Promise<Visitor> => {
    const visitor = await visit({ portal: harness, ignoreHTTPSErrors: true })
    await visitor.page.context().addInitScript(installStock)
    await visitor.page.goto(harness)
    return visitor
  }
  return {
    /** Opens an empty page for one test. */
    openPage: async (from = service) => {
      const { page, close, expectComplaint } = await start(from)
      onTestFinished(close)
      return { ...callsOf(page, from), expectComplaint }
    },
    /**
     * Loads a report into the file's shared page, for tests that do
     * not depend on the frame's creation: opening a page takes longer
     * than most calls. `answers` etc. start empty after the load.
     */
    openReport: async (name?: string, options: object = {}) => {
      const visitor = shared ?? (await start(service))
      shared = visitor
      const { page, complaints } = visitor
      const expected: RegExp[] = []
      onTestFinished(async ({ task }) => {
        if (task.result?.state === 'fail') {
          // The next test must not find a half-finished state.
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
        /** Returns the first column of a visual's data. */
        names: (visual: string) => namesIn(frame, visual),
        expectComplaint: (pattern: RegExp) => void expected.push(pattern),
      }
    },
  }
}

const callsOf = (page: Page, service: StockService) => ({
  page,
  configuration: (name = 'Internações') => embedConfiguration(service, name),
  /** Embeds a report and waits until it is rendered. */
  embed: async (options: object = {}, name?: string): Promise<{ frame: Frame; heard: ReportEvent[] }> => {
    const configuration = await embedConfiguration(service, name ?? 'Internações')
    const heard = await embedIn(page, { ...configuration, ...options }, 'rendered')
    return { frame: reportFrame(page), heard }
  },
  /** Waits until a frame created by bootstrap, without a load, accepts messages. */
  untilReady: () => page.waitForFunction(() => stock.messages.some(({ url }) => url?.startsWith('/ready/'))),
  /** Returns all messages of the client to the embed page: `PUT /report/filters 202`. */
  answers: async () => (await exchanges(reportFrame(page), page.mainFrame())).map(inShort),
  /** Returns all messages of the embed page to the client, with the client's status. */
  announcements: async () => (await exchanges(page.mainFrame(), reportFrame(page))).map(inShort),
  /** The messages of `answers` and `announcements`, with their bodies. */
  answersInFull: () => exchanges(reportFrame(page), page.mainFrame()),
  announcementsInFull: () => exchanges(page.mainFrame(), reportFrame(page)),
})

/** Embeds into the page's first element and waits for the event `last`. */
export const embedIn = (
  page: Page,
  configuration: EmbedConfiguration & object,
  last: string,
): Promise<ReportEvent[]> =>
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

/** Returns the first column of a visual's data. */
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

/** Distance of the first bar from the top edge of a bar chart, in px. */
export const FIRST_BAR = 20
