import { rm } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { createExportBrowser } from './browser.ts'
import { createDrawing } from './draw-export.ts'
import { createExportJobs, type ExportJobs, exportFolder } from './export-jobs.ts'
import { findChromium } from './find-chromium.ts'

/** Megabytes for the browser: a page of charts takes about 300. */
const BROWSER_MEGABYTES = 1024

/** Milliseconds. */
const LONGEST_START = 30_000

export type Exports = {
  /**
   * Undefined where no Chromium is found, which is looked for when the first export is asked for.
   * @throws NoSandbox
   */
  jobs: () => Promise<ExportJobs | undefined>
}

/** The exports of this service. They, their files and their browser end with it. */
export function createExports(app: FastifyInstance, config: Config, now: () => number): Exports {
  const folder = exportFolder(config.dataDir)
  // What a service that was killed left behind.
  const swept = rm(folder, { recursive: true, force: true })
  swept.catch((error: unknown) => app.log.error({ err: error }, 'old exports could not be deleted'))
  let opened: Promise<ExportJobs | undefined> | undefined
  let isClosing = false

  async function open(): Promise<ExportJobs | undefined> {
    await swept
    const executable = await findChromium(config.chromiumPath, config.searchPath)
    if (!executable || isClosing) return undefined
    const { log } = app
    const browser = createExportBrowser({ executable, memoryMegabytes: BROWSER_MEGABYTES, log })
    // Started before the first export is taken: a machine without a sandbox refuses it with the reason.
    await browser.use(AbortSignal.timeout(LONGEST_START), async () => undefined)
    const jobs = createExportJobs({ draw: createDrawing(app, browser), folder, now, log })
    return { ...jobs, close: () => Promise.all([browser.close(), jobs.close()]).then(() => undefined) }
  }

  // Before the server waits for answers under way, one of which the browser may be asking for.
  app.addHook('preClose', async () => {
    isClosing = true
    const jobs = await opened?.catch(() => undefined)
    await jobs?.close()
  })
  return {
    jobs: () => {
      if (!opened) {
        const opening = open()
        opened = opening
        // A browser that was not found, or did not start, is looked for again.
        const forget = () => {
          if (opened === opening) opened = undefined
        }
        opening.then(
          (found) => found || forget(),
          (error: unknown) => {
            forget()
            app.log.warn({ err: error }, 'the browser of exports did not start')
          },
        )
      }
      return opened
    },
  }
}
