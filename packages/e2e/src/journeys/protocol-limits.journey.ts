import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataOf, expectDrawn } from '../report-frame.ts'
import { embedIn, launchStockBrowser, openStockPage, reportFrame } from '../stock-page.ts'
import { type StockService, startStockService } from '../stock-service.ts'

/* What the embed page refuses: tokens that do not count, calls that it does not know or cannot serve yet, strangers. */

const TOKEN_SECONDS = 6
let browser: Browser
let service: StockService
let shortLived: StockService
beforeAll(async () => {
  service = await startStockService()
  shortLived = await startStockService({ REPORTS_TOKEN_SECONDS: String(TOKEN_SECONDS) })
  browser = await launchStockBrowser()
})
afterAll(async () => {
  await browser.close()
  await Promise.all([service, shortLived].map((each) => each.stop()))
})
const open = () => openStockPage(browser, service)

describe('a new token', () => {
  test('that is good is taken without a reload, an event or a drawing', async () => {
    const { page, embed, configuration, answers } = await open()
    const { frame } = await embed()
    await frame.evaluate(() => {
      const drawn = document.querySelector('[data-name=por_mes] canvas')
      Object.assign(globalThis, { drawn })
    })
    const dataCalls: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/data')) dataCalls.push(request.url())
    })
    const { accessToken } = await configuration()
    const heard = await page.evaluate(async (accessToken) => {
      stock.heard.length = 0
      await stock.report.setAccessToken(accessToken)
      await stock.report.getPages()
      return stock.heard
    }, accessToken)
    expect([heard, dataCalls]).toEqual([[], []])
    const isUntouched = await frame.evaluate(
      () => Reflect.get(globalThis, 'drawn') === document.querySelector('[data-name=por_mes] canvas'),
    )
    expect(isUntouched).toBe(true)
    expect(await answers()).toContain('POST /report/token 202')
  })

  test.each([
    ['that is none', async () => 'bad'],
    [
      'of another report',
      async (configuration: (name: string) => Promise<{ accessToken: string }>) =>
        (await configuration('Perfil populacional')).accessToken,
    ],
  ])('%s is refused with an error event, and the one in force stays', async (_what, tokenFrom) => {
    const { page, embed, configuration, answers, expectComplaint } = await open()
    expectComplaint(/403/)
    await embed()
    const { refusal, heard, after } = await page.evaluate(
      async (accessToken) => {
        stock.heard.length = 0
        const refusal = await stock.refusal(stock.report.setAccessToken(accessToken))
        const heard = [...stock.heard]
        return { refusal, heard, after: await stock.during(() => stock.report.refresh(), 'rendered') }
      },
      await tokenFrom(configuration),
    )
    expect(refusal.message).toBe('PowerBINotAuthorizedException')
    expect(heard).toMatchObject([['error', { message: 'PowerBINotAuthorizedException' }]])
    expect(after.map(([name]) => name)).toEqual(['renderingStarted', 'rendered'])
    expect(await answers()).toContain('POST /report/token 403')
  })
})

describe('a token that ends', () => {
  test('is told of once; the page stays, waits for a new one, and goes on with it', async () => {
    const { page, configuration, expectComplaint } = await openStockPage(browser, shortLived)
    expectComplaint(/403/)
    expect(await embedIn(page, await configuration(), 'error')).toMatchObject([
      ['loaded', {}],
      ['renderingStarted', {}],
      ['rendered', {}],
      ['error', { message: 'TokenExpired' }],
    ])
    const frame = reportFrame(page)
    await expectDrawn(frame, 'after the token ended')

    const notice = frame.getByText('O acesso a este relatório expirou')
    const turned = await page.evaluate(() =>
      stock.during(() => stock.report.setPage('hospitais'), 'renderingStarted'),
    )
    await notice.waitFor()
    const { accessToken } = await configuration()
    const renewed = await page.evaluate(
      (accessToken) => stock.during(() => stock.report.setAccessToken(accessToken), 'rendered'),
      accessToken,
    )
    expect([...turned, ...renewed].map(([name]) => name)).toEqual([
      'pageChanged',
      'renderingStarted',
      'renderingStarted',
      'rendered',
    ])
    expect(await notice.count()).toBe(0)
    expect(Object.keys(await dataOf(frame))).toContain('custo_hospital')
  })

  test('before the load makes it an error, never loaded', async () => {
    const { page, configuration, expectComplaint } = await openStockPage(browser, shortLived)
    expectComplaint(/403/)
    const complete = await configuration()
    await new Promise((resolve) => setTimeout(resolve, TOKEN_SECONDS * 1000))
    expect(await embedIn(page, complete, 'error')).toMatchObject([
      ['error', { message: 'TokenExpired', level: 6 }],
    ])
    const refusal = await page.evaluate(() => stock.refusal(stock.report.getPages()))
    expect(refusal.message).toBe('ReportNotLoaded')
    expect(await page.evaluate(() => stock.heard.map(([name]) => name))).toEqual(['error'])
  })
})

describe('a call that cannot be served', () => {
  test('is answered 501 when the service does not know it', async () => {
    const { page, embed, answers } = await open()
    await embed()
    const refusals = await page.evaluate(async () => {
      const { report } = stock
      const active = await report.getActivePage()
      const visual = await active.getVisualByName('por_especialidade')
      const calls = [
        report.switchMode('edit'),
        report.save(),
        report.saveAs({ name: 'x' }),
        report.savePersistentFilters(),
        report.arePersistentFiltersApplied(),
        report.closeAllOverlays().catch(({ body }) => Promise.reject(body)),
        report.addPage('x'),
        report.renamePage('visao_geral', 'x'),
        report.deletePage('visao_geral'),
        active.getSmartNarrativeInsights(),
        visual.exportData(1),
        visual.clone(),
        visual.sortBy({ orderBy: { table: 'Sinistralidade', column: 'idade' }, direction: 1 }),
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
        'POST /report/pages/visao_geral/visuals/por_especialidade/exportData 501',
        'PUT /report/pages/visao_geral/visuals/por_especialidade/sortBy 501',
      ]),
    )
  })

  test('is answered 409 before the load', async () => {
    const { page, configuration, untilReady, answers } = await open()
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

describe('a stranger', () => {
  const ask = { method: 'GET', url: '/report/pages', headers: { id: 'stranger' } }

  test('of another origin cannot frame the embed page', async () => {
    const { page, configuration, expectComplaint } = await open()
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

  test('beside the report, of the same page, gets no answer', async () => {
    const { page, embed } = await open()
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

  test('of another origin that opened the portal gets no answer', async () => {
    const { page, configuration } = await open()
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

  /** The question arrived; a later one of the embedder is answered; nobody got an answer to the first. */
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
