import { describe, expect, inject, test } from 'vitest'
import { protocolReport } from '../../stock/protocol-report.ts'
import { embedIn, namesIn, reportFrame, stockPages } from '../../stock/stock-page.ts'

/*
 * What the embed page refuses: unknown calls, calls
 * before the load, and messages of foreign windows.
 */

const service = inject('stock')
const { openPage, openReport } = stockPages()

describe('a call that cannot be served', () => {
  test('a call that cannot be served is answered 501 when the service does not know it', async () => {
    const { page, answers } = await openReport()
    const refusals = await page.evaluate(async () => {
      const { report } = stock
      const active = await report.getActivePage()
      const visual = await active.getVisualByName('por_especialidade')
      const calls = [
        report.switchMode('edit'),
        report.save(),
        report.saveAs({ name: 'x' }),
        report.savePersistentFilters(),
        report.closeAllOverlays().catch(({ body }) => Promise.reject(body)),
        report.addPage('x'),
        report.renamePage('visao_geral', 'x'),
        report.deletePage('visao_geral'),
        active.getSmartNarrativeInsights(),
        visual.clone(),
      ]
      return Promise.all(calls.map((call) => stock.refusal(call)))
    })
    expect(new Set(refusals.map(({ message }) => message))).toEqual(new Set(['NotImplemented']))
    const unknown = (await answers()).filter((exchange) => exchange.endsWith('501'))
    expect(unknown).toHaveLength(refusals.length)
    expect(unknown).toEqual(
      expect.arrayContaining([
        'POST /report/switchMode/edit 501',
        'POST /report/save 501',
        'POST /report/saveAs 501',
        'POST /report/userState 501',
        'POST /report/addPage 501',
        'DELETE /report/pages/visao_geral 501',
        'POST /report/pages/visao_geral/visuals/por_especialidade/clone 501',
      ]),
    )
  })

  test('a call that cannot be served is answered 409 before the load', async () => {
    const { page, configuration, untilReady, answers } = await openPage()
    const { embedUrl } = await configuration()
    await page.evaluate((embedUrl) => {
      const { element } = stock
      stock.report = powerbi.bootstrap(element(), { type: 'report', embedUrl }) as typeof stock.report
    }, embedUrl)
    await untilReady()
    const refusals = await page.evaluate(() => {
      const { report } = stock
      const calls = [
        report.getPages(),
        report.setPage('visao_geral'),
        report.getFilters(),
        report.setFilters([]),
        report.updateSettings({}),
        report.getZoom(),
        report.render(),
        report.refresh(),
        report.print(),
        report.setAccessToken('x'),
        report.resetPersistentFilters(),
        report.getTheme(),
        report.applyTheme({ themeJson: { name: 'x' } }),
        report.bookmarksManager.getBookmarks(),
        report.bookmarksManager.apply('x'),
        report.bookmarksManager.applyState('x'),
        report.bookmarksManager.capture(),
        report.bookmarksManager.play(1),
        report.clearSelectedVisuals().catch(({ body }) => Promise.reject(body)),
      ]
      return Promise.all(calls.map((call) => stock.refusal(call)))
    })
    expect(new Set(refusals.map(({ message }) => message))).toEqual(new Set(['ReportNotLoaded']))
    expect((await answers()).filter((exchange) => exchange.endsWith(' 409'))).toHaveLength(refusals.length)
  })
})

describe('a foreign window', () => {
  const ask = { method: 'GET', url: '/report/pages', headers: { id: 'stranger' } }

  test('a foreign window of another origin cannot frame the embed page', async () => {
    const { page, configuration, expectComplaint } = await openPage()
    expectComplaint(/frame-ancestors/)
    const { embedUrl } = await configuration()
    await page.goto(service.stranger)
    const blocked = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()))
    await page.evaluate((embedUrl) => {
      const frame = document.createElement('iframe')
      frame.src = `${embedUrl}&uid=stranger`
      stock.element().append(frame)
    }, embedUrl)
    await blocked
    await expect.poll(() => page.frames().at(-1)?.url()).toMatch(/^chrome-error:/)
    expect(await page.evaluate(() => stock.messages)).toEqual([])
  })

  test('a foreign window in the same page as the report gets no answer', async () => {
    const { page, embed } = await openPage()
    const { frame } = await embed()
    const origin = service.harness
    await page.evaluate((origin) => {
      const sibling = document.createElement('iframe')
      sibling.src = `${origin}/sibling`
      stock.element('second').append(sibling)
    }, origin)
    await expect
      .poll(() =>
        page
          .frame({ url: `${origin}/sibling` })
          ?.locator('#report')
          .count(),
      )
      .toBe(1)
    const sibling = page.frame({ url: `${origin}/sibling` })
    await sibling?.evaluate((ask) => window.parent.frames[0]?.postMessage(ask, '*'), ask)
    await expectUnanswered(frame, [page.mainFrame(), sibling])
  })

  test('a foreign window of another origin that opened the portal gets no answer', async () => {
    const { page, configuration } = await openPage()
    await page.goto(service.stranger)
    const opening = page.context().waitForEvent('page')
    await page.evaluate((address) => {
      Object.assign(globalThis, { opened: window.open(address) })
    }, service.harness)
    const portal = await opening
    await portal.waitForLoadState('load')
    await embedIn(portal, await configuration(), 'rendered')
    await page.evaluate((ask) => {
      const { opened } = globalThis as unknown as { opened: Window }
      opened.frames[0]?.postMessage(ask, '*')
    }, ask)
    await expectUnanswered(reportFrame(portal), [portal.mainFrame(), page.mainFrame()])
  })

  /** Expects that the message arrives unanswered, and that the embedder's later one is answered. */
  const expectUnanswered = async (
    report: ReturnType<typeof reportFrame>,
    [embedder, ...others]: (ReturnType<typeof reportFrame> | null | undefined)[],
  ) => {
    const asked = () => report.evaluate(() => stock.messages.map(({ headers }) => headers?.id))
    await expect.poll(asked).toContain('stranger')
    expect(await embedder?.evaluate(async () => (await stock.report.getPages()).length)).toBe(3)
    for (const frame of [embedder, ...others]) {
      expect(await frame?.evaluate(() => stock.messages.map(({ headers }) => headers?.id))).not.toContain(
        'stranger',
      )
    }
  }
})

test("turning the page aborts the previous page's pending data request", async () => {
  const { page, frame } = await openReport(protocolReport.name)
  const isData = (request: { url(): string }) => request.url().endsWith('/data')
  await page.route('**/embed-api/reports/*/data', () => undefined, { times: 1 })
  const asked = page.waitForRequest(isData)
  await page.evaluate(() => stock.report.refresh())
  const held = await asked
  const hungUp = page.waitForEvent('requestfailed', isData)
  await page.evaluate(() => stock.during(() => stock.report.setPage('outra'), 'rendered'))
  expect(await hungUp).toBe(held)
  expect(held.failure()?.errorText).toBe('net::ERR_ABORTED')
  expect(await namesIn(frame, 'quem')).toHaveLength(4)
})
