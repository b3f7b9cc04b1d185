import { kiosksApi } from '@bi-manager/contract'
import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { launchBrowser } from './browser/browser.ts'
import { expectDrawn } from './browser/report-frame.ts'
import { openBrowserProfile } from './browser/visitor.ts'
import { reportsOf, signedInClient } from './people/api.ts'
import { people } from './people/people.ts'
import { type Demo, startDemo } from './services/demo.ts'

/* A screen on a wall runs for months. */

const rotations = 100
const tokenSeconds = 20

/** Connects a screen that shows so many of the demo's reports. */
const startScreen = async (demo: Demo, { pages, seconds }: { pages: number; seconds: number }) => {
  const browser = await launchBrowser()
  const wall = await openBrowserProfile(browser, { portal: demo.portal })
  await wall.goto('/telao')
  const code = wall.page.getByText(/^[A-Z]{4}-[A-Z]{4}$/)
  await code.waitFor()
  const { call, menu } = await signedInClient(demo.portal, people.admin)
  // Ana's reports restrict no rows.
  const { menu: menuOfAna } = await signedInClient(demo.portal, people.ana)
  const shown = reportsOf(await menuOfAna()).slice(0, pages)
  expect(reportsOf(await menu()).length).toBeGreaterThanOrEqual(pages)
  const paginas = shown.map(({ idRelatorio }) => ({ idRelatorio, segundos: seconds }))
  const { idTelao: id } = await call(kiosksApi.create, { body: { nome: 'Corredor', paginas } })
  await call(kiosksApi.connect, { params: { id }, body: { codigo: (await code.textContent()) ?? '' } })
  await wall.page.getByText(`1 de ${shown.length}`).waitFor({ timeout: 60_000 })
  const stop = async () => {
    await wall.close()
    await browser.close()
    await demo.stop()
  }
  return { wall, count: shown.length, stop }
}

const metricsOf = async (session: CDPSession) => {
  await session.send('Performance.enable')
  for (let n = 0; n < 3; n += 1) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const figure = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
  return {
    heapMB: Math.round((figure('JSHeapUsedSize') / 2 ** 20) * 10) / 10,
    nodes: figure('Nodes'),
    listeners: figure('JSEventListeners'),
  }
}

/** Figures of the page and of its report frames, after a collection of garbage. */
const figuresOf = async (page: Page) => {
  const context = page.context()
  const frames = page.frames().filter((frame) => frame.parentFrame() === page.mainFrame())
  // Refused for a frame in the process of the page, which counts it.
  const sessions = await Promise.allSettled(frames.map((frame) => context.newCDPSession(frame)))
  const own = sessions.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  return {
    page: await metricsOf(await context.newCDPSession(page)),
    frames: await Promise.all(own.map(metricsOf)),
  }
}

test(`${rotations} rotations of a screen leave no growing memory`, async () => {
  const demo = await startDemo()
  const { wall, count, stop } = await startScreen(demo, { pages: 4, seconds: 600 })
  const { page } = wall
  try {
    let at = 1
    const rotate = async (times: number) => {
      for (let n = 0; n < times * count; n += 1) {
        at = (at % count) + 1
        await page.keyboard.press('ArrowRight')
        await page.getByText(`${at} de ${count}`).waitFor()
      }
    }
    await rotate(5)
    const early = await figuresOf(page)
    await rotate(rotations / 2)
    const middle = await figuresOf(page)
    await rotate(rotations / 2)
    const late = await figuresOf(page)
    console.log(`${rotations} rotations of ${count} pages: ${JSON.stringify({ early, middle, late })}`)
    expect(late.frames).toHaveLength(early.frames.length)
    for (const [index, before] of [early.page, ...early.frames].entries()) {
      const after = [late.page, ...late.frames][index]
      for (const name of ['heapMB', 'nodes', 'listeners'] as const)
        expect(after?.[name], `${name} of ${index}`).toBeLessThan(before[name] * 1.3 + 20)
    }
  } finally {
    await stop()
  }
})

test('a page that stays longer than its embed token is not interrupted', async () => {
  const demo = await startDemo({ REPORTS_TOKEN_SECONDS: String(tokenSeconds) })
  const { wall, stop } = await startScreen(demo, { pages: 1, seconds: 3_600 })
  const { page } = wall
  const issued: number[] = []
  const embed = /\/telao\/paginas\/\d+\/embed$/
  page.on('response', (response) => {
    if (embed.test(response.url())) issued.push(response.status())
  })
  try {
    const element = await page.locator('[data-shown="true"] iframe').elementHandle()
    const frame = await element?.contentFrame()
    if (!frame) throw new Error('The screen shows no report.')
    await page.waitForTimeout(5 * tokenSeconds * 1_000)
    await expectDrawn(frame, 'a report after five lives of its token')
    console.log(`tokens of one page in ${5 * tokenSeconds} s: ${JSON.stringify(issued)}`)
    expect(issued.length).toBeGreaterThanOrEqual(4)
    expect(new Set(issued)).toEqual(new Set([200]))
    expect(await page.getByText('1 de 1').count()).toBe(1)
  } finally {
    await stop()
  }
})
