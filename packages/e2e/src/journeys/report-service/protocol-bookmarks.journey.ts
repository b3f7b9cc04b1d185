import { expect, test } from 'vitest'
import { dataOf } from '../../browser/report-frame.ts'
import { isIn, operadoras, protocolReport } from '../../stock/protocol-report.ts'
import { stockPages } from '../../stock/stock-page.ts'

/* Bookmarks with Microsoft's unmodified client: list, apply, capture, play. */

const { openReport } = stockPages()
const open = (options?: object) => openReport(protocolReport.name, options)

test("the client lists the author's bookmarks and applies them by name, with page and filters", async () => {
  const { page, names, answers } = await open()
  const listed = await page.evaluate(async () =>
    (await stock.report.bookmarksManager.getBookmarks()).map(({ name, displayName, state }) => [
      name,
      displayName,
      typeof state,
    ]),
  )
  expect(listed).toEqual([
    ['so_cnu', 'Só CNU', 'string'],
    ['tudo', 'Tudo', 'string'],
  ])
  const heard = await page.evaluate(() =>
    stock.during(() => stock.report.bookmarksManager.apply('so_cnu'), 'rendered'),
  )
  expect(heard.map(([name]) => name)).toEqual([
    'pageChanged',
    'bookmarkApplied',
    'renderingStarted',
    'rendered',
  ])
  expect(heard[1]).toEqual(['bookmarkApplied', { bookmarkName: 'so_cnu' }])
  expect(await names('quem')).toHaveLength(1)
  const refusal = await page.evaluate(() => stock.refusal(stock.report.bookmarksManager.apply('nenhum')))
  expect(refusal).toMatchObject({ message: 'PowerBIEntityNotFound', level: 3 })
  expect((await answers()).filter((exchange) => exchange.includes('/bookmarks'))).toEqual([
    'GET /report/bookmarks 200',
    'POST /report/bookmarks/applyByName 202',
    'POST /report/bookmarks/applyByName 404',
  ])
})

test('the client captures a bookmark that restores the state, even after the next load', async () => {
  const { page, frame, names, answers, configuration, embed } = await open()
  const seen = await page.evaluate(
    async (filter) => {
      await stock.during(() => stock.report.setFilters([filter]), 'rendered')
      return stock.report.bookmarksManager.capture({ allPages: true })
    },
    isIn('operadora', 'CNU', 'SANTA_CASA'),
  )
  expect(seen).toEqual({
    name: expect.stringMatching(/^Bookmark\d+$/),
    displayName: 'Uma',
    state: expect.stringMatching(/^[\w-]{50,2000}$/),
  })
  const { accessToken } = await configuration(protocolReport.name)
  const text = Buffer.from(seen.state ?? '', 'base64url').toString()
  expect(text).not.toContain(accessToken.slice(0, 20))
  const before = await dataOf(frame)
  expect(before.operadora).toHaveLength(2)

  const { state } = seen
  await page.evaluate(async () => {
    await stock.during(() => stock.report.resetPersistentFilters(), 'rendered')
    await stock.during(() => stock.report.setPage('outra'), 'rendered')
  })
  expect(await names('quem')).toHaveLength(operadoras.length)
  const heard = await page.evaluate(
    (state) => stock.during(() => stock.report.bookmarksManager.applyState(state ?? ''), 'rendered'),
    state,
  )
  expect(heard[1]).toEqual(['bookmarkApplied', { bookmarkName: seen.name }])
  expect(await dataOf(frame)).toEqual(before)

  const again = await embed({ bookmark: { state } }, protocolReport.name)
  expect(await dataOf(again.frame)).toEqual(before)
  for (const bad of ['', 'x', `${state?.slice(0, -4)}`, 'a'.repeat(40_000)]) {
    const refusal = await page.evaluate(
      (bad) => stock.refusal(stock.report.bookmarksManager.applyState(bad)),
      bad,
    )
    expect(refusal.message).toBe('InvalidBookmarkState')
  }
  expect(await dataOf(again.frame)).toEqual(before)
  const exchanges = (await answers()).filter((exchange) => /capture|applyState/.test(exchange))
  expect([...new Set(exchanges)].toSorted()).toEqual([
    'POST /report/bookmarks/applyState 202',
    'POST /report/bookmarks/applyState 400',
    'POST /report/bookmarks/capture 200',
  ])
})

test('the client refuses a bookmark of another report', async () => {
  const { page, embed } = await open()
  const state = await page.evaluate(async () => (await stock.report.bookmarksManager.capture()).state)
  await embed()
  const refusal = await page.evaluate(
    (state) => stock.refusal(stock.report.bookmarksManager.applyState(state ?? '')),
    state,
  )
  expect(refusal).toMatchObject({
    message: 'InvalidBookmarkState',
    detailedMessage: 'Este marcador é de outro relatório.',
  })
})

test('the client plays bookmarks one after the other', async () => {
  const { page, frame, answers } = await open()
  const bar = frame.getByRole('navigation', { name: 'Apresentação de marcadores' })
  const shown = await page.evaluate(() =>
    stock.during(() => stock.report.bookmarksManager.play(1), 'rendered'),
  )
  expect(shown).toContainEqual(['bookmarkApplied', { bookmarkName: 'so_cnu' }])
  await bar.getByText('Só CNU (1 de 2)').waitFor()
  await bar.getByRole('button', { name: 'Próximo' }).click()
  await bar.getByText('Tudo (2 de 2)').waitFor()
  await page.evaluate(() => stock.report.bookmarksManager.play(0))
  await expect.poll(() => bar.count()).toBe(0)
  expect((await answers()).filter((exchange) => exchange.includes('play'))).toEqual(
    Array(2).fill('POST /report/bookmarks/play 202'),
  )
})
