import type { FastifyInstance } from 'fastify'
import type { Tokens } from '../http/tokens.ts'
import { createExportBrowser } from './browser.ts'
import { createExportRenderer, type RenderExport, type SignExportToken } from './draw-export.ts'
import { createExportJobs } from './export-jobs.ts'
import { findChromium } from './find-chromium.ts'
import { createJobFiles } from './job-files.ts'

/** Memory limit of the browser: a page of charts takes about 300 MB. */
const BROWSER_MEGABYTES = 1024

/** Maximum time for the browser to start, in ms. */
const LONGEST_START = 30_000
/** Time in ms before starting the browser is retried for waiting exports. */
const TRY_AGAIN = 60_000

export type Exports = ReturnType<typeof createExports>

type Options = {
  config: { chromiumPath: string | undefined; searchPath: string; dataDir: string }
  tokens: Tokens
  now: () => number
}

/** Creates the service's exports. The browser ends with the service. */
export const createExports = (app: FastifyInstance, { config, tokens, now }: Options) => {
  const { log } = app
  let opened: Promise<RenderExport | undefined> | undefined
  let closeBrowser: () => Promise<void> = async () => undefined
  let failedAt = Number.NEGATIVE_INFINITY
  let isClosing = false

  const signToken: SignExportToken = ({ reportId, identities }, lifeSeconds) => {
    const exp = Math.floor(now() / 1000) + lifeSeconds
    return tokens.signEmbed({ exp }, { reports: [reportId], identities, lifeSeconds }).token
  }

  async function open(): Promise<RenderExport | undefined> {
    const executable = await findChromium(config.chromiumPath, config.searchPath)
    if (!executable || isClosing) return undefined
    const browser = createExportBrowser({ executable, memoryMegabytes: BROWSER_MEGABYTES, log })
    closeBrowser = () => browser.close()
    // Started now, so that a machine without a sandbox refuses the export with the reason.
    await browser.use(AbortSignal.timeout(LONGEST_START), async () => undefined)
    return createExportRenderer(app, browser, signToken)
  }

  function drawing(): Promise<RenderExport | undefined> {
    if (opened) return opened
    const opening = open()
    opened = opening
    // The next call searches again after a failure.
    const forget = () => {
      failedAt = performance.now()
      if (opened === opening) opened = undefined
    }
    opening.then(
      (found) => found || forget(),
      (error: unknown) => {
        forget()
        log.warn({ err: error }, 'the browser of exports did not start')
      },
    )
    return opening
  }

  /** Loaded with the first export: most services never write a spreadsheet. */
  let workbooks: Promise<RenderExport> | undefined
  const writing = (): Promise<RenderExport> => {
    workbooks ??= import('./workbook-renderer.ts').then(({ createWorkbookRenderer }) =>
      createWorkbookRenderer(app, signToken, now),
    )
    return workbooks
  }

  const jobs = createExportJobs({
    files: createJobFiles(config.dataDir),
    rendererOf: {
      workbooks: writing,
      sheets: async () => (performance.now() - failedAt < TRY_AGAIN ? undefined : drawing()),
    },
    now,
    log,
  })
  // Before the server waits for pending requests, which the browser may have sent.
  app.addHook('preClose', async () => {
    isClosing = true
    await opened?.catch(() => undefined)
    await Promise.all([closeBrowser(), jobs.close()])
  })
  return {
    jobs,
    /**
     * Returns false if sheets cannot be drawn, because Chromium is not found. It is searched for on
     * the first export.
     * @throws NoSandboxError
     */
    isSupported: async () => (await drawing()) !== undefined,
    /** Whether sheets can be drawn now. A browser that has just failed is not started again. */
    canDraw: async () => {
      if (performance.now() - failedAt < TRY_AGAIN) return false
      return (await drawing().catch(() => undefined)) !== undefined
    },
  }
}
