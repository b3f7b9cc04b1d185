import type { Frame, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataOf, setColorScheme } from '../../browser/report-frame.ts'
import { expectAccessible, sizes } from '../../browser/visitor.ts'
import { createReportReaders, type ReportReaders } from '../../pages/report-readers.ts'

/* Cross-filtering and drill-down by pointer and by keyboard, in the portal. */

let readers: ReportReaders
beforeAll(async () => {
  readers = createReportReaders()
})
afterAll(async () => {
  try {
    await readers.close()
  } finally {
  }
})

/** Returns the rows of one visual once they differ from `before`. */
const changed = async (frame: Frame, visual: string, before: string[][] | undefined) => {
  await expect.poll(async () => (await dataOf(frame))[visual], { timeout: 15_000 }).not.toEqual(before)
  return (await dataOf(frame))[visual]
}

/** Waits until the rows of one visual are the given ones again. */
const again = (frame: Frame, visual: string, rows: string[][] | undefined) =>
  expect.poll(async () => (await dataOf(frame))[visual], { timeout: 15_000 }).toEqual(rows)

const clearButton = (frame: Frame, visual: string) =>
  frame.locator(`[data-name=${visual}]`).getByRole('button', { name: 'Limpar seleção' })

const spoken = (frame: Frame) =>
  frame.evaluate(() =>
    [...document.querySelectorAll('[aria-live]')].map((region) => region.textContent).join(' '),
  )

describe.each(sizes)('a report page on the %s', (size) => {
  test('the page cross-filters its other visuals after a click on a bar, until it is cleared', {
    timeout: 120_000,
  }, async () => {
    const { page, frame } = await readers.open(size, 'Sinistralidade')
    const { custo, por_operadora: bars } = await dataOf(frame)
    const plot = frame.locator('[data-name=por_operadora] canvas')
    await plot.scrollIntoViewIfNeeded()
    /** Measures before each click: a selection may add a scroll bar, which changes the width. */
    const click = async (place: (width: number, height: number) => { x: number; y: number }) => {
      const { width = 0, height = 0 } = (await plot.boundingBox()) ?? {}
      await plot.click({ position: place(width, height) })
    }
    const firstBar = (width: number, height: number) => ({ x: width / 2, y: height / 8 })
    // Outside the bars: none reaches the edge of its chart.
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

  test('a report page lets keys move over a chart, drill down, select, and return', {
    timeout: 120_000,
  }, async () => {
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

    // Focus is not trapped, and Esc clears the selection from anywhere on the page.
    await keyboard.press('Tab')
    expect(await chart.evaluate((element) => element.contains(document.activeElement))).toBe(false)
    await keyboard.press('Escape')
    await again(frame, 'especialidades', especialidades)
    await crumbs.getByRole('button', { name: 'Tudo' }).press('Enter')
    await again(frame, 'por_plano', operadoras)
    expect(await crumbs.allTextContents()).toEqual(['Tudo'])
  })
})

/** Returns the middle of the longest run of one colour in a chart: a bar, slice or cell. */
const colouredIn = (plot: Locator) =>
  plot.evaluate((element) => {
    let longest = { length: 0, x: 0, y: 0 }
    for (const canvas of element.querySelectorAll('canvas')) {
      const { width, height, clientWidth } = canvas
      const bytes = canvas.getContext('2d')?.getImageData(0, 0, width, height).data.buffer
      const pixels = new Uint32Array(bytes ?? [])
      const scale = clientWidth / width
      for (let y = 0; y < height; y += 3) {
        for (let x = 0, length = 1; x < width; x += length, length = 1) {
          const pixel = pixels[y * width + x] ?? 0
          while (x + length < width && pixels[y * width + x + length] === pixel) length++
          const parts = [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255]
          const isColoured = Math.max(...parts) - Math.min(...parts) > 40
          if (isColoured && length > longest.length)
            longest = { length, x: (x + length / 2) * scale, y: (y + 1) * scale }
        }
      }
    }
    return { x: longest.x, y: longest.y }
  })

/** Returns what a chart shows, as image data. */
const paintedOn = (plot: Locator) =>
  plot.evaluate((element) =>
    [...element.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL()).join(),
  )

test('a pointer shows values on a bar; a click on a slice or cell cross-filters', {
  timeout: 120_000,
}, async () => {
  const { page, frame } = await readers.open('desktop', 'Pronto-socorro')
  const plotOf = (visual: string) => frame.locator(`[data-name=${visual}] .plot`)
  const { por_dia: days, risco: risks, por_hora: hours } = await dataOf(frame)

  const columns = plotOf('por_dia')
  const painted = () => paintedOn(columns)
  const atRest = await painted()
  const isAtRest = async () => (await painted()) === atRest
  await columns.hover({ position: await colouredIn(columns) })
  await expect.poll(isAtRest).toBe(false)
  // In steps: the frame receives no event for a single jump out of it.
  await page.mouse.move(0, 0, { steps: 5 })
  await expect.poll(isAtRest).toBe(true)

  const slice = { position: await colouredIn(plotOf('risco')) }
  await plotOf('risco').click(slice)
  await changed(frame, 'por_dia', days)
  expect((await dataOf(frame)).risco).toEqual(risks)
  await plotOf('risco').click(slice)
  await again(frame, 'por_dia', days)

  await plotOf('por_hora').click({ position: await colouredIn(plotOf('por_hora')) })
  await changed(frame, 'risco', risks)
  expect((await dataOf(frame)).por_hora).toEqual(hours)
  await clearButton(frame, 'por_hora').click()
  await again(frame, 'risco', risks)

  // The page is as wide as its frame, minus the margins of its definition.
  const edges = await frame.evaluate(() => {
    const boxes = [...document.querySelectorAll('[data-name]')].map((visual) =>
      visual.getBoundingClientRect(),
    )
    const { clientWidth } = document.documentElement
    return {
      left: Math.min(...boxes.map(({ left }) => left)) / clientWidth,
      right: Math.max(...boxes.map(({ right }) => right)) / clientWidth,
    }
  })
  expect(edges.left).toBeCloseTo(24 / 1280, 2)
  expect(edges.right).toBeCloseTo(1256 / 1280, 2)
})

test("charts follow the reader's colour scheme, and print in the light theme", {
  timeout: 120_000,
}, async () => {
  const { page, frame } = await readers.open('desktop', 'Pronto-socorro')
  const columns = frame.locator('[data-name=por_dia] .plot')
  const painted = () => paintedOn(columns)
  const light = await painted()
  await setColorScheme(page, frame, 'dark')
  await expect.poll(painted).not.toBe(light)
  const dark = await painted()

  const paper = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ media: 'print', colorScheme })
    await frame.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    const ground = await frame.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const printed = await painted()
    await page.emulateMedia({ media: 'screen', colorScheme })
    await frame.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    return { ground, printed }
  }
  const fromDark = await paper('dark')
  await expect.poll(painted).toBe(dark)
  await setColorScheme(page, frame, 'light')
  await expect.poll(painted).toBe(light)
  expect(fromDark.ground).toBe('rgb(255, 255, 255)')
  expect(fromDark).toEqual(await paper('light'))
  await expect.poll(painted).toBe(light)
})

test('a visual that fails shows its error and retries only itself', { timeout: 120_000 }, async () => {
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

test('a slicer has its whole title at 1366 pixels', { timeout: 60_000 }, async () => {
  const { page, frame } = await readers.open('desktop', 'Prestadores')
  await page.setViewportSize({ width: 1366, height: 768 })
  await frame.getByRole('tab', { name: 'Detalhe' }).click()
  const title = frame.getByRole('heading', { name: 'Especialidade', exact: true })
  const missing = () =>
    title.evaluate((heading) => {
      const text = document.createRange()
      text.selectNodeContents(heading)
      return text.getBoundingClientRect().width - heading.getBoundingClientRect().width
    })
  await expect.poll(missing, { timeout: 15_000 }).toBeLessThanOrEqual(0)
})
