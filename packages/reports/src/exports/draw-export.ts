import type { FastifyInstance, InjectOptions } from 'fastify'
import { zipSync } from 'fflate'
import type { BrowserContext, Page, Route } from 'playwright-core'
import type { PageData, SheetFault } from '../wire/embed-contract.ts'
import type { ExportBrowser } from './browser.ts'
import { type ContentNotes, createContentNotes } from './content-facts.ts'
import { ExportFault } from './export-fault.ts'
import type { ExportFile, ExportSheet, ExportTask } from './export-task.ts'

/** Size of a sheet in CSS pixels: canvas, heading and notice. */
const SHEET = { width: 1280, height: 800 }
/** Never resolved: `answer` handles every request of the page. */
const ORIGIN = 'http://export.invalid'
const PAGE = '/reportExport'
/** Maximum duration of one export in seconds. */
export const LONGEST_EXPORT = 180

export type RenderExport = (
  task: ExportTask,
  signal: AbortSignal,
  progress: (sheets: number) => void,
) => Promise<ExportFile>

/**
 * Signs the embed token with which the page requests its data. The call proved the permission: the
 * Entra token may expire while the export waits.
 */
export type SignExportToken = (task: ExportTask, lifeSeconds: number) => string

/** Returns a renderer of exports that uses the embed page, answered without a network. */
export const createExportRenderer =
  (app: FastifyInstance, browser: ExportBrowser, signToken: SignExportToken): RenderExport =>
  (task, signal, progress) =>
    browser.use(signal, async (context) => {
      const notes = createContentNotes()
      const page = await openPage(app, context, notes)
      const token = signToken(task, LONGEST_EXPORT)
      for (const [index, sheet] of task.sheets.entries()) {
        await drawSheet(page, { reportId: task.reportId, token, sheet, brand: task.brand })
        progress(index + 1)
      }
      const file = await (task.format === 'PDF' ? asPdf(page) : asPictures(page, task.sheets))
      return { ...file, content: notes.facts() }
    })

const openPage = async (
  app: FastifyInstance,
  context: BrowserContext,
  notes: ContentNotes,
): Promise<Page> => {
  await context.route('**', (route) =>
    // A page that was closed takes no answer; a page without an answer shows its own failure.
    answer(app, route, notes).catch((error: unknown) => {
      app.log.warn({ err: error }, 'a request of an export was not answered')
      return route.abort().catch(() => undefined)
    }),
  )
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(ORIGIN + PAGE)
  await page.waitForFunction(() => 'drawSheet' in globalThis)
  return page
}

/** Answers requests for the embed page, its assets and its data; aborts all others. */
const answer = async (app: FastifyInstance, route: Route, notes: ContentNotes): Promise<void> => {
  const request = route.request()
  const { origin, pathname, search } = new URL(request.url())
  const isPage = pathname === PAGE
  if (origin !== ORIGIN || !(isPage || /^\/(embed-assets|embed-api)\//.test(pathname))) return route.abort()
  const { authorization, 'content-type': type } = request.headers()
  const answered = await app.inject({
    method: request.method() as NonNullable<InjectOptions['method']>,
    url: isPage ? '/reportEmbed' : pathname + search,
    // No reader's address: calls without permission are counted by address.
    remoteAddress: '0.0.0.0',
    headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
    ...(request.postData() !== null && { payload: request.postDataBuffer() ?? '' }),
  })
  if (/^\/embed-api\/reports\/[^/]+\/data$/.test(pathname))
    notes.note(
      request.postDataJSON() as Parameters<ContentNotes['note']>[0],
      answered.statusCode === 200 ? answered.json<PageData>() : undefined,
    )
  const headers = Object.entries(answered.headers).map(([name, value]) => [name, String(value)])
  await route.fulfill({
    status: answered.statusCode,
    headers: Object.fromEntries(headers),
    body: answered.rawPayload,
  })
}

/** Renders one sheet. The page returns faults as the reader would see them. */
const drawSheet = async (
  page: Page,
  drawing: { reportId: string; token: string; sheet: ExportSheet; brand: ExportTask['brand'] },
) => {
  const failure = await page.evaluate((given) => {
    const { drawSheet } = globalThis as unknown as {
      drawSheet: (task: object) => Promise<SheetFault | undefined>
    }
    return drawSheet(given)
  }, drawing)
  if (failure?.code) throw new ExportFault(failure.code, failure.message)
  if (failure) throw new Error(failure.message)
}

const asPdf = async (page: Page): Promise<ExportFile> => {
  // Removes the live page, from which the sheets were copied.
  await page.locator('#app').evaluate((screen) => screen.remove())
  await page.emulateMedia({ media: 'screen' })
  const bytes = await page.pdf({
    width: `${SHEET.width}px`,
    height: `${SHEET.height}px`,
    printBackground: true,
    tagged: true,
    margin: { top: 0, right: 0, bottom: 0, left: 0 },
  })
  return { bytes, type: 'application/pdf', extension: '.pdf' }
}

/** Returns one picture, or like Microsoft a ZIP with a picture per page, named after the pages. */
const asPictures = async (page: Page, sheets: ExportSheet[]): Promise<ExportFile> => {
  const found = await page.locator('.sheet').all()
  const pictures: Record<string, Uint8Array> = {}
  for (const [index, sheet] of found.entries()) {
    const { page: name = '', visual } = sheets[index] ?? {}
    const base = visual ? `${name}-${visual}` : name
    const taken = `${base}.png` in pictures
    pictures[taken ? `${base}-${index + 1}.png` : `${base}.png`] = await sheet.screenshot({ type: 'png' })
  }
  const all = Object.values(pictures)
  if (all[0] && all.length === 1) return { bytes: all[0], type: 'image/png', extension: '.png' }
  // PNGs are already compressed.
  return { bytes: zipSync(pictures, { level: 0 }), type: 'application/zip', extension: '.zip' }
}
