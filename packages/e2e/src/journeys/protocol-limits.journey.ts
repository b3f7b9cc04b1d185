import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { protocolReport } from '../protocol-report.ts'
import { dataOf, expectDrawn } from '../report-frame.ts'
import { embedIn, launchStockBrowser, namesIn, openStockPage, reportFrame } from '../stock-page.ts'
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

describe('a refusal', () => {
  const basic = (column: string, ...values: string[]) => ({
    $schema: 'http://powerbi.com/product/schema#basic',
    target: { table: 'Sinistralidade', column },
    filterType: 1,
    operator: 'In' as const,
    values,
  })
  const given = { good: basic('operadora', 'CNU'), bad: basic('inexistente', 'x'), unknown: 9 }
  const error = (errorCode: string, detailedMessage: string) => ({
    message: errorCode,
    detailedMessage,
    errorCode,
    level: 3,
  })
  const noColumn = error('InvalidFilter', 'Este relatório não tem a coluna Sinistralidade/inexistente.')
  const noOperation = error('InvalidParameters', 'filtersOperation deve ser 0, 1, 2 ou 3.')
  const noPage = error('PowerBIEntityNotFound', 'Este relatório não tem a página nenhuma.')
  const notFound = 'PowerBIEntityNotFound'
  const noVisual = error('PowerBIEntityNotFound', 'Esta página não tem o visual nenhum.')
  const noObject = error('InvalidParameters', 'As configurações devem ser um objeto.')
  const noPlace = error('InvalidParameters', 'O leiaute de uma deve ser um objeto.')
  const notLoaded = error('ReportNotLoaded', 'O relatório ainda não foi carregado.')

  test('says all that there is to say, and changes nothing', async () => {
    const { page, embed, answersInFull } = await open()
    const { frame } = await embed({}, protocolReport.name)
    const whole = await dataOf(frame)
    const { refusals, heard, filters } = await page.evaluate(async ({ good, bad, unknown }) => {
      const { report } = stock
      const uma = report.page('uma')
      const none = report.page('nenhuma')
      const visual = await uma.getVisualByName('operadora')
      const gone = stock.visual(uma, 'nenhum')
      stock.heard.length = 0
      const calls: Record<string, () => Promise<unknown>> = {
        'report: an unknown column added': () => report.updateFilters(2, [bad]),
        'report: an unknown operation': () => report.updateFilters(unknown, [good]),
        'page: an unknown column': () => uma.setFilters([bad]),
        'page: an unknown column added': () => uma.updateFilters(2, [bad]),
        'page: an unknown operation': () => uma.updateFilters(unknown, [good]),
        'visual: an unknown column': () => visual.setFilters([bad]),
        'visual: an unknown column added': () => visual.updateFilters(2, [bad]),
        'visual: an unknown operation': () => visual.updateFilters(unknown, [good]),
        'no page: to turn to': () => none.setActive(),
        'no page: its filters': () => none.getFilters(),
        'no page: filters set': () => none.setFilters([good]),
        'no page: filters added': () => none.updateFilters(2, [good]),
        'no page: filters removed': () => none.removeFilters(),
        'no page: its visuals': () => none.getVisuals(),
        'no page: its layouts': () => none.hasLayout(2),
        'no page: a visual moved': () => none.moveVisual('operadora', 1, 1),
        'no visual: its filters': () => gone.getFilters(),
        'no visual: filters set': () => gone.setFilters([good]),
        'no visual: its slicer': () => gone.getSlicerState(),
        'no visual: slicer set': () => gone.setSlicerState({ filters: [good] }),
        'no visual: its data': () => gone.exportData(0),
        'no visual: moved': () => gone.moveVisual(1, 1),
        'settings: a text': () => report.updateSettings('x' as never),
        'settings: a list': () => report.updateSettings([] as never),
        'settings: nothing': () => report.updateSettings(null as never),
        'settings: a page that is nothing': () =>
          report.updateSettings({ customLayout: { pagesLayout: { uma: null } } } as never),
        'no such call': () => report.switchMode('edit'),
      }
      const refusals: Record<string, unknown> = {}
      for (const [name, call] of Object.entries(calls)) refusals[name] = await stock.refusal(call())
      const inForce = [report, uma, visual].map((owner) => owner.getFilters())
      return { refusals, heard: stock.heard, filters: await Promise.all(inForce) }
    }, given)
    expect(refusals).toEqual({
      'report: an unknown column added': noColumn,
      'report: an unknown operation': noOperation,
      'page: an unknown column': noColumn,
      'page: an unknown column added': noColumn,
      'page: an unknown operation': noOperation,
      'visual: an unknown column': noColumn,
      'visual: an unknown column added': noColumn,
      'visual: an unknown operation': noOperation,
      'no page: to turn to': noPage,
      'no page: its filters': noPage,
      'no page: filters set': noPage,
      'no page: filters added': noPage,
      'no page: filters removed': noPage,
      'no page: its visuals': noPage,
      'no page: its layouts': noPage,
      // The client asks for the page's visuals, and says so itself.
      'no page: a visual moved': notFound,
      'no visual: its filters': noVisual,
      'no visual: filters set': noVisual,
      'no visual: its slicer': noVisual,
      'no visual: slicer set': noVisual,
      'no visual: its data': noVisual,
      'no visual: moved': notFound,
      'settings: a text': noObject,
      'settings: a list': noObject,
      'settings: nothing': noObject,
      'settings: a page that is nothing': noPlace,
      'no such call': {
        message: 'NotImplemented',
        detailedMessage: 'POST /report/switchMode/edit',
        errorCode: '501',
      },
    })
    expect([heard, filters]).toEqual([[], [[], [], []]])
    expect(await dataOf(frame)).toEqual(whole)
    const statuses = (await answersInFull()).flatMap(({ answer: { statusCode = 0, body } = {} }) =>
      statusCode >= 400 ? [[statusCode, (body as { errorCode: string }).errorCode]] : [],
    )
    expect([...new Set(statuses.map((status) => status.join(' ')))].toSorted()).toEqual([
      '400 InvalidFilter',
      '400 InvalidParameters',
      '404 PowerBIEntityNotFound',
      '501 501',
    ])
  })

  test('of a page, a visual, a slicer or data before the load says so', async () => {
    const { page, configuration, untilReady } = await open()
    const { embedUrl } = await configuration(protocolReport.name)
    await page.evaluate((embedUrl) => {
      const { element } = stock
      stock.report = powerbi.bootstrap(element(), { type: 'report', embedUrl }) as typeof stock.report
    }, embedUrl)
    await untilReady()
    const refusals = await page.evaluate(({ good }) => {
      const { report } = stock
      const uma = report.page('uma')
      const slicer = stock.visual(uma, 'escolha')
      const calls = [
        report.updateFilters(2, [good]),
        report.removeFilters(),
        report.getCorrelationId(),
        uma.setActive(),
        uma.getFilters(),
        uma.setFilters([good]),
        uma.updateFilters(2, [good]),
        uma.removeFilters(),
        uma.getVisuals(),
        uma.hasLayout(2),
        uma.moveVisual('escolha', 1, 1),
        slicer.getFilters(),
        slicer.setFilters([good]),
        slicer.updateFilters(2, [good]),
        slicer.removeFilters(),
        slicer.getSlicerState(),
        slicer.setSlicerState({ filters: [good] }),
        slicer.exportData(0),
      ]
      return Promise.all(calls.map((call) => stock.refusal(call)))
    }, given)
    expect(refusals).toEqual(refusals.map(() => notLoaded))
    expect(refusals).toHaveLength(18)
  })

  test('of the data is told as an error, by refresh and by setPage alike, until they come again', async () => {
    const { page, embed, expectComplaint, answers } = await open()
    expectComplaint(/500/)
    const { frame } = await embed({}, protocolReport.name)
    await page.route('**/embed-api/reports/*/data', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'QueryFailed', message: 'x' } } }),
    )
    const failed = error('QueryFailed', 'Não foi possível carregar os dados do relatório.')
    const refreshed = await page.evaluate(() => stock.during(() => stock.report.refresh(), 'error'))
    expect(refreshed).toEqual([
      ['renderingStarted', {}],
      ['error', failed],
    ])
    const turned = await page.evaluate(() => stock.during(() => stock.report.setPage('outra'), 'error'))
    expect(turned.map(([name]) => name)).toEqual(['pageChanged', 'renderingStarted', 'error'])
    expect(turned.at(-1)).toEqual(['error', failed])
    await page.unroute('**/embed-api/reports/*/data')
    const again = await page.evaluate(() => stock.during(() => stock.report.refresh(), 'rendered'))
    expect(again.map(([name]) => name)).toEqual(['renderingStarted', 'rendered'])
    expect(await namesIn(frame, 'quem')).toHaveLength(4)
    expect((await answers()).slice(2)).toEqual([
      'POST /report/refresh 202',
      'PUT /report/pages/active 202',
      'POST /report/refresh 202',
    ])
  })
})

test('who turns the page hangs up on what the page before was still asked for', async () => {
  const { page, embed } = await open()
  const { frame } = await embed({}, protocolReport.name)
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
