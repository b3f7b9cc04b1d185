import type { Frame, Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { dataOf, waitForRendered } from '../../browser/report-frame.ts'
import { expectNoSidewaysScroll, viewports, visit } from '../../browser/visitor.ts'
import { filterPanel } from '../../pages/viewer.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

/* A report on a phone: portrait, landscape, and safe-area insets. */

const portal = inject('portal')

const turned = { width: viewports.phone.height, height: viewports.phone.width }

/** powerbi-models' LayoutType. */
const layouts: Record<number, string> = { 0: 'desktop', 2: 'phone' }

const enter = async () => {
  const visitor = await visit({ size: 'phone' })
  const { page } = visitor
  /** Every layout in which a report was opened. */
  const asked: string[] = []
  await page.exposeFunction(
    'noteLayout',
    (layout: number) => void asked.push(layouts[layout] ?? String(layout)),
  )
  await page.context().addInitScript(() => {
    window.addEventListener('message', ({ data }) => {
      if (!/\/report\/(load|prepare)$/.test(data?.url ?? '')) return
      ;(globalThis as unknown as { noteLayout: (layout: number) => void }).noteLayout(
        data.body.settings.layoutType,
      )
    })
  })
  const { menu } = await signedInClient(portal, people.admin)
  const report = reportsOf(await menu()).find(({ name }) => name === 'Sinistralidade')
  await visitor.enter(people.admin, report?.path ?? '')
  return { visitor, page, asked, frame: await waitForRendered(page) }
}

const selectedTab = async (page: Page) => {
  const frame = await waitForRendered(page)
  return frame.getByRole('tab', { selected: true }).textContent()
}

test('rotation opens the other layout with page and filters, and counts as one view', async () => {
  const { visitor, page, asked, frame } = await enter()
  const views: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/visualizacao')) views.push(request.url())
  })
  expect(asked).toEqual(['phone'])
  const tab = frame.getByRole('tab').nth(1)
  const name = await tab.textContent()
  await tab.click()
  await page.waitForURL(/pagina=/)
  await filterPanel(page).filterBy('Sexo', 'Feminino')
  await page.waitForURL(/sexo=feminino/)
  await page.getByText('Filtros aplicados.').waitFor({ state: 'attached' })
  const shown = await dataOf(frame)

  for (const [viewport, layout] of [
    [turned, 'desktop'],
    [viewports.phone, 'phone'],
  ] as const) {
    await page.setViewportSize(viewport)
    await expect.poll(() => asked.at(-1)).toBe(layout)
    expect(await selectedTab(page)).toBe(name)
    expect(new URL(page.url()).searchParams.get('sexo')).toBe('feminino')
    const again = await waitForRendered(page)
    await expect.poll(() => dataOf(again)).toEqual(shown)
    await expectNoSidewaysScroll(page)
    expect(await page.locator('iframe').count()).toBe(1)
  }
  expect(asked).toEqual(['phone', 'desktop', 'phone'])
  expect(views).toEqual([])
  await visitor.close()
})

test('rotation keeps a selection and shows it, until it is cleared', async () => {
  const { visitor, page, asked, frame } = await enter()
  const { custo: whole, por_operadora: bars } = await dataOf(frame)
  const chart = frame.locator('[data-name=por_operadora] .chart')
  await chart.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await dataOf(frame)).custo).not.toEqual(whole)
  const { custo: narrowed } = await dataOf(frame)

  await page.setViewportSize(turned)
  await expect.poll(() => asked.at(-1)).toBe('desktop')
  const again = await waitForRendered(page)
  await expect.poll(async () => (await dataOf(again)).custo).toEqual(narrowed)
  expect((await dataOf(again)).por_operadora).toEqual(bars)
  await clearButton(again).waitFor()

  // Rotated back before it has opened: the selection must not be lost.
  await page.setViewportSize(viewports.phone)
  await expect.poll(() => asked.at(-1)).toBe('phone')
  await page.setViewportSize(turned)
  await expect.poll(() => asked.at(-1)).toBe('desktop')
  const last = await waitForRendered(page)
  await expect.poll(async () => (await dataOf(last)).custo).toEqual(narrowed)
  await clearButton(last).focus()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await dataOf(last)).custo).toEqual(whole)
  expect(await clearButton(last).count()).toBe(0)
  await visitor.close()
})

const clearButton = (frame: Frame) =>
  frame.locator('[data-name=por_operadora]').getByRole('button', { name: 'Limpar seleção' })

test('the safe-area insets cover no content', async () => {
  const { visitor, page } = await enter()
  const cdp = await page.context().newCDPSession(page)
  const setInsets = (insets: { top: number; left: number; right: number; bottom: number }) =>
    cdp.send('Emulation.setSafeAreaInsetsOverride', { insets })
  const report = page.locator('iframe')

  await setInsets({ top: 0, left: 0, right: 0, bottom: 34 })
  await expect.poll(async () => bottomOf(await report.boundingBox())).toBe(viewports.phone.height - 34)

  await page.setViewportSize(turned)
  await waitForRendered(page)
  await setInsets({ top: 0, left: 47, right: 47, bottom: 21 })
  // After rotation the frame is created again: for a moment there may be none.
  const sides = async () => {
    const box = await report.boundingBox()
    return box && [box.x, box.x + box.width]
  }
  await expect.poll(sides).toEqual([47, turned.width - 47])
  const menu = await page.getByRole('button', { name: /menu/i }).first().boundingBox()
  expect(menu?.x).toBeGreaterThanOrEqual(47)
  await expectNoSidewaysScroll(page)
  await visitor.close()
})

const bottomOf = (box: { y: number; height: number } | null) => (box ? box.y + box.height : undefined)
