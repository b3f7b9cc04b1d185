import type { Browser, Frame } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { joinBrowser, leaveBrowser } from '../browser.ts'
import { dataOf } from '../report-frame.ts'
import { createReportReaders, type ReportReaders } from '../report-readers.ts'
import { expectAccessible, sizes } from '../visitor.ts'

/* Picks that narrow a page, hierarchies that are opened, and the same by keys alone; in the portal, as people use it. */

const portal = inject('portal')
let browser: Browser
let readers: ReportReaders
beforeAll(async () => {
  browser = await joinBrowser()
  readers = createReportReaders(browser, portal)
})
afterAll(async () => {
  try {
    await readers.close()
  } finally {
    await leaveBrowser(browser)
  }
})

/** Rows of one visual, once they are no longer `before`. */
const changed = async (frame: Frame, visual: string, before: string[][] | undefined) => {
  await expect.poll(async () => (await dataOf(frame))[visual], { timeout: 15_000 }).not.toEqual(before)
  return (await dataOf(frame))[visual]
}

/** Until the rows of one visual are those again. */
const again = (frame: Frame, visual: string, rows: string[][] | undefined) =>
  expect.poll(async () => (await dataOf(frame))[visual], { timeout: 15_000 }).toEqual(rows)

const clearButton = (frame: Frame, visual: string) =>
  frame.locator(`[data-name=${visual}]`).getByRole('button', { name: 'Limpar seleção' })

const spoken = (frame: Frame) =>
  frame.evaluate(() =>
    [...document.querySelectorAll('[aria-live]')].map((region) => region.textContent).join(' '),
  )

describe.each(sizes)('on the %s', (size) => {
  test('a click on a bar narrows the other visuals until it is taken back', {
    timeout: 120_000,
  }, async () => {
    const { page, frame } = await readers.open(size, 'Sinistralidade')
    const { custo, por_operadora: bars } = await dataOf(frame)
    const plot = frame.locator('[data-name=por_operadora] canvas')
    await plot.scrollIntoViewIfNeeded()
    /** Measured anew for each click: what comes with a pick may change the page's width by a scroll bar. */
    const click = async (place: (width: number, height: number) => { x: number; y: number }) => {
      const { width = 0, height = 0 } = (await plot.boundingBox()) ?? {}
      await plot.click({ position: place(width, height) })
    }
    const firstBar = (width: number, height: number) => ({ x: width / 2, y: height / 8 })
    // No bar reaches the edge of its chart.
    const besideBars = (width: number) => ({ x: width - 2, y: 2 })

    await click(firstBar)
    const narrowed = await changed(frame, 'custo', custo)
    expect((await dataOf(frame)).por_operadora).toEqual(bars)
    expect(await spoken(frame)).toContain(`${bars?.[0]?.[0]} selecionado`)
    await expectAccessible(page, `a pick on the ${size}`)

    await click(firstBar)
    await again(frame, 'custo', custo)
    await click(firstBar)
    await again(frame, 'custo', narrowed)
    await click(besideBars)
    await again(frame, 'custo', custo)

    await click(firstBar)
    await again(frame, 'custo', narrowed)
    await clearButton(frame, 'por_operadora').focus()
    await page.keyboard.press('Enter')
    await again(frame, 'custo', custo)
    expect(await clearButton(frame, 'por_operadora').count()).toBe(0)
    expect(await spoken(frame)).toContain('Seleção desfeita.')
  })

  test('keys walk over a chart, open its hierarchy, pick, and lead back', { timeout: 120_000 }, async () => {
    const { page, frame } = await readers.open(size, 'Sinistralidade')
    const { keyboard } = page
    await frame.getByRole('tab', { name: 'Composição do custo' }).click()
    const operadoras = await changed(frame, 'por_plano', undefined)
    const { especialidades } = await dataOf(frame)
    const chart = frame.locator('[data-name=por_plano] .chart')
    const crumbs = frame.locator('[data-name=por_plano] .crumbs li')

    await chart.focus()
    await keyboard.press('ArrowDown')
    expect(await spoken(frame)).toContain(`${operadoras?.[0]?.[0]}: Sinistralidade ${operadoras?.[0]?.[1]}`)
    await keyboard.press('Enter')
    const plans = await changed(frame, 'por_plano', operadoras)
    expect(await crumbs.allTextContents()).toEqual(['Tudo', operadoras?.[0]?.[0]])
    expect((await dataOf(frame)).especialidades).toEqual(especialidades)

    await keyboard.press('End')
    await keyboard.press('Enter')
    await changed(frame, 'especialidades', especialidades)
    expect((await dataOf(frame)).por_plano).toEqual(plans)
    expect(await clearButton(frame, 'por_plano').isVisible()).toBe(true)
    await expectAccessible(page, `a level opened on the ${size}`)

    // Nothing traps the focus, and Esc works from anywhere on the page.
    await keyboard.press('Tab')
    expect(await chart.evaluate((element) => element.contains(document.activeElement))).toBe(false)
    await keyboard.press('Escape')
    await again(frame, 'especialidades', especialidades)
    await crumbs.getByRole('button', { name: 'Tudo' }).press('Enter')
    await again(frame, 'por_plano', operadoras)
    expect(await crumbs.allTextContents()).toEqual(['Tudo'])
  })
})

test('a visual that fails alone says so, and asks for itself alone again', { timeout: 120_000 }, async () => {
  const { page, frame } = await readers.open('desktop', 'Pronto-socorro')
  const asked: (string[] | undefined)[] = []
  let failing = true
  await page.route('**/embed-api/reports/*/data', async (route) => {
    const answer = await route.fetch()
    const data = await answer.json()
    asked.push(route.request().postDataJSON().visuals)
    if (failing) {
      delete data.visuals.por_dia
      data.failures.por_dia = { code: 'QueryTimeout', message: 'A consulta demorou demais.' }
    }
    await route.fulfill({ response: answer, json: data })
  })
  await frame.getByRole('tab', { name: 'Hospitais' }).click()
  await changed(frame, 'lista', undefined)
  await frame.getByRole('tab', { name: 'Visão geral' }).click()
  const visual = frame.locator('[data-name=por_dia]')
  await visual.getByText('Este visual demorou demais.').waitFor()
  await changed(frame, 'por_hora', undefined)
  await expectAccessible(page, 'a visual that failed')

  failing = false
  asked.length = 0
  await visual.getByRole('button', { name: 'Tentar novamente' }).click()
  await changed(frame, 'por_dia', undefined)
  expect(asked).toEqual([['por_dia']])
  await page.unrouteAll()
})
