import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { dataOf, expectDrawn } from '../../browser/report-frame.ts'
import { embedIn, reportFrame, stockPages } from '../../stock/stock-page.ts'
import { startStockService } from '../../stock/stock-service.ts'

/* Embed tokens: renewal, refusal, expiry. */

const { openPage, openReport: open } = stockPages()

describe('setAccessToken', () => {
  test('setAccessToken accepts a valid token without reload, event or rendering', async () => {
    const { page, frame, configuration, answers } = await open()
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
    ['that is invalid', async () => 'bad'],
    [
      'of another report',
      async (configuration: (name: string) => Promise<{ accessToken: string }>) =>
        (await configuration('Perfil populacional')).accessToken,
    ],
  ])(
    'setAccessToken refuses a token %s with an error event and keeps the current one',
    async (_what, tokenFrom) => {
      const { page, configuration, answers, expectComplaint } = await open()
      expectComplaint(/403/)
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
    },
  )
})

describe('an expired token', () => {
  const TOKEN_SECONDS = 6
  let shortLived: Awaited<ReturnType<typeof startStockService>>
  beforeAll(async () => {
    shortLived = await startStockService(inject('demoData'), { REPORTS_TOKEN_SECONDS: String(TOKEN_SECONDS) })
  })
  afterAll(() => shortLived?.stop())

  test('an expired token emits TokenExpired once and resumes after setAccessToken', async () => {
    const { page, configuration, expectComplaint } = await openPage(shortLived.service)
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

  test('an expired token makes a load emit error and never loaded', async () => {
    const { page, configuration, expectComplaint } = await openPage(shortLived.service)
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
