import { pagesApi } from '@bi-manager/contract'
import type { CDPSession, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { waitForRendered } from '../../browser/report-frame.ts'
import { visit } from '../../browser/visitor.ts'
import { goWithin, openAndAwaitView } from '../../browser/within-portal.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'
import { type Demo, startDemo } from '../../services/demo.ts'

const names = ['Sinistralidade', 'Internações', 'Pronto-socorro']
const switches = 50
/** By this switch everything that is created once exists. */
const settled = 12
/** Allowance for caches of the browser and of queries; a single leaked report would exceed it. */
const allowedGrowthMb = 4

let demo: Demo
beforeAll(async () => {
  demo = await startDemo({}, inject('demoData'))
})
afterAll(async () => {
  await demo?.stop()
})

/** Records the page's requests as method and path. */
const listen = (page: Page) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  return { many: (pattern: RegExp) => asked.filter((line) => pattern.test(line)).length, asked }
}

const token = /POST .*\/relatorio\/embed$/
const view = /POST .*\/visualizacao$/
const providerPage = /GET \/reportEmbed$/
const definition = /GET \/embed-api\/reports\/[^/]+$/
const rows = /POST \/embed-api\/reports\/[^/]+\/data$/

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Relatórios Gerenciais' })
const linkTo = (page: Page, name: string) => menuOf(page).getByRole('link', { name, exact: true }).last()

/** Waits for an invisible page with all of its charts, and marks its canvas. */
const drawnAhead = async (frame: Frame | undefined) => {
  if (!frame) throw new Error('no frame was prepared')
  const canvas = frame.locator('.ahead .canvas')
  await expect.poll(() => canvas.locator('.chart').count()).toBeGreaterThan(3)
  // A chart has no canvas until it is painted.
  await expect.poll(() => canvas.locator('.chart:not(:has(canvas))').count()).toBe(0)
  expect(await canvas.isVisible()).toBe(false)
  await canvas.evaluate((drawn) => Object.assign(globalThis, { drawn }))
}

const showsWhatWasDrawn = (frame: Frame) =>
  frame.evaluate(() => {
    const canvas = document.querySelector('.panel > .canvas')
    return canvas !== null && canvas === Reflect.get(globalThis, 'drawn')
  })

const pictureOf = (page: Page) => page.locator('iframe').screenshot()

test(`${switches} switches between reports use one frame and leak nothing`, {
  timeout: 240_000,
}, async () => {
  const { call, menu } = await signedInClient(demo.portal, people.admin)
  const reports = reportsOf(await menu())
  const [bound] = reports.filter(({ name }) => name === names[2])
  await call(pagesApi.update, {
    params: { rota: 'painel' },
    body: { idRelatorio: bound?.idRelatorio ?? 0 },
  })
  const visitor = await visit({ portal: demo.portal })
  const { page } = visitor
  const heard = listen(page)
  await visitor.goto('/')
  expect(heard.many(providerPage)).toBe(0)
  await visitor.signIn(people.admin)

  // The idle page has prefetched the provider's page, with the chart code.
  await expect.poll(() => heard.many(/chart-.*\.js$/)).toBe(1)
  expect(await page.locator('iframe').isVisible()).toBe(false)
  const ahead = page.frames().find((candidate) => candidate.url().includes('/reportEmbed'))
  await ahead?.evaluate(() => {
    Object.assign(globalThis, { resized: 0 })
    addEventListener('resize', () => Object.assign(globalThis, { resized: 1 }))
  })

  await menuOf(page).getByRole('button', { name: 'Gestão de Saúde' }).click()
  await linkTo(page, names[0] ?? '').hover()
  await expect.poll(() => heard.many(token)).toBe(1)
  // Hovering also prefetches definition and rows, once.
  await expect.poll(() => [heard.many(definition), heard.many(rows)]).toEqual([1, 1])
  // And renders the report invisibly.
  await drawnAhead(ahead)
  expect(heard.many(view)).toBe(0)
  await openAndAwaitView(page, () => linkTo(page, names[0] ?? '').click())
  expect([token, definition, rows].map(heard.many)).toEqual([1, 1, 1])
  const frame = await waitForRendered(page)
  expect(await showsWhatWasDrawn(frame)).toBe(true)
  // It was prepared at its final size: nothing is rendered twice.
  expect(await frame.evaluate(() => Reflect.get(globalThis, 'resized'))).toBe(0)
  await frame.evaluate(() => Object.assign(globalThis, { isTheFirst: true }))

  // The second report is prepared invisibly while the first is still read.
  const shown = await pictureOf(page)
  await linkTo(page, names[1] ?? '').hover()
  await drawnAhead(frame)
  expect(shown.equals(await pictureOf(page))).toBe(true)
  await openAndAwaitView(page, () => linkTo(page, names[1] ?? '').click())
  expect(await showsWhatWasDrawn(frame)).toBe(true)
  await openAndAwaitView(page, () => linkTo(page, names[0] ?? '').click())

  // The report has its own process: its charts' and pages' leftovers are there.
  const sides = [page, frame].map((side) => page.context().newCDPSession(side))
  const leftBehind = async () => {
    // A left page is freed a moment after the next one is rendered.
    await page.waitForTimeout(1500)
    return Promise.all(sides.map(async (side) => leftovers(await side)))
  }
  const open = (turn: number) => {
    const name = names[turn % names.length] ?? ''
    const path = reports.find((report) => report.name === name)?.path ?? ''
    if (turn % 10 === 7) return fromHome(page, name)
    if (turn % 10 === 8) return openAndAwaitView(page, () => goWithin(page, '/painel'))
    if (turn % 10 === 9) return openAndAwaitView(page, () => goWithin(page, withoutName(path)))
    return openAndAwaitView(page, () => linkTo(page, name).click())
  }
  let early = await leftBehind()
  for (let turn = 1; turn <= switches; turn += 1) {
    await open(turn)
    expect(await page.locator('iframe').count(), `frames after switch ${turn}`).toBe(1)
    if (turn === settled) early = await leftBehind()
  }
  const late = await leftBehind()
  expect(await frame.evaluate(() => 'isTheFirst' in globalThis)).toBe(true)
  expect(heard.many(providerPage)).toBe(1)
  expect(heard.many(view)).toBe(switches + 3)
  for (const [at, { listeners, domListeners, documents, heapMb }] of early.entries()) {
    const side = at === 0 ? 'portal' : 'report'
    expect(late[at]?.listeners, side).toEqual(listeners)
    expect(late[at]?.domListeners, side).toBeLessThanOrEqual(domListeners * 1.1)
    expect(late[at]?.documents, side).toBeLessThanOrEqual(documents)
    expect((late[at]?.heapMb ?? Number.NaN) - heapMb, side).toBeLessThan(allowedGrowthMb)
  }
  await visitor.close()
})

test('on the phone touch prefetches nothing, and the frame is reused', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit({ portal: demo.portal, size: 'phone' })
  const { page } = visitor
  const heard = listen(page)
  await visitor.enter(people.admin, '/saidibi')
  // A phone pays for what is fetched ahead: nothing before the first touch.
  await page.waitForTimeout(2_500)
  expect(heard.many(/chart-.*\.js$/)).toBe(0)
  await page.getByRole('heading', { level: 1 }).tap()
  await expect.poll(() => heard.many(/chart-.*\.js$/)).toBe(1)
  for (const [turn, name] of names.entries()) {
    await page.getByRole('button', { name: 'Abrir menu' }).tap()
    if (turn === 0) await menuOf(page).getByRole('button', { name: 'Gestão de Saúde' }).tap()
    await linkTo(page, name).waitFor()
    await openAndAwaitView(page, () => linkTo(page, name).tap())
    expect([token, definition, rows].map(heard.many)).toEqual(Array(3).fill(turn + 1))
    expect(await page.locator('iframe').count()).toBe(1)
  }
  expect(heard.many(providerPage)).toBe(1)
  await visitor.close()
})

/** Opens a report from the home page, where its frame waits invisibly. */
const fromHome = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name: 'BI Manager' }).click()
  const card = page.locator('main').getByRole('link', { name })
  await openAndAwaitView(page, () => card.last().click())
}

/** Returns the report's address without its name. */
const withoutName = (path: string): string => {
  const [start, groupName, , ...ids] = path.slice(1).split('/')
  return `/${[start, groupName, ...ids].join('/')}`
}

/** Returns counts that would grow if a report leaked, after a garbage collection. */
const leftovers = async (cdp: CDPSession) => {
  await cdp.send('HeapProfiler.collectGarbage')
  const listeners: Record<string, number> = {}
  for (const target of ['window', 'document', 'document.documentElement']) {
    const { result } = await cdp.send('Runtime.evaluate', {
      expression: `Object.entries(getEventListeners(${target})).map(([name, all]) => name + ' ' + all.length).sort().join()`,
      includeCommandLineAPI: true,
      returnByValue: true,
    })
    for (const entry of String(result.value).split(',')) {
      const [name = '', many] = entry.split(' ')
      listeners[`${target} ${name}`] = Number(many)
    }
  }
  const { jsEventListeners, documents } = await cdp.send('Memory.getDOMCounters')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return { listeners, domListeners: jsEventListeners, documents, heapMb: usedSize / 2 ** 20 }
}
