import { readFile, rm } from 'node:fs/promises'
import { appearanceApi, type ReportPerformance } from '@bi-manager/contract'
import { readPdf } from '@bi-manager/server/test/clinical/pdf-text'
import type { Frame, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { exportAsPdf } from '../../browser/export-in-page.ts'
import { dataOf, settled, waitForRendered } from '../../browser/report-frame.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  type Look,
  looks,
  type Visitor,
  visit,
} from '../../browser/visitor.ts'
import { dialogOf, press } from '../../pages/back-office.ts'
import { chooseAction, filterPanel, savedViews } from '../../pages/viewer.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'
import { type Demo, startDemo } from '../../services/demo.ts'
import { copyWithPastViews } from '../../services/past-views.ts'

/*
 * Favourites, saved views, export and load times. The tests share one demo and build on each other.
 */

let demo: Demo
let pastData: string
let reports: { name: string; path: string }[]
beforeAll(async () => {
  pastData = await copyWithPastViews(inject('demoData'), 'Sinistralidade')
  demo = await startDemo({}, pastData)
  const { menu } = await signedInClient(demo.portal, people.admin)
  reports = reportsOf(await menu())
}, 180_000)
afterAll(async () => {
  await demo?.stop()
  await rm(pastData, { recursive: true, force: true })
})

const pathOf = (name: string) => reports.find((report) => report.name === name)?.path ?? ''
const enter = async (look: Look = looks[0]) => {
  const visitor = await visit({ portal: demo.portal, ...look })
  await visitor.enter(people.admin, '/saidibi')
  return visitor
}
const open = async ({ goto, page }: Visitor, name: string) => {
  await goto(pathOf(name))
  return waitForRendered(page)
}

test('favourites are added in the viewer, shown on the home page and menu, and reordered by key and drag', {
  timeout: 120_000,
}, async () => {
  const visitor = await enter()
  const { page, goto } = visitor
  const starred = async (name: string) => {
    await open(visitor, name)
    const answered = page.waitForResponse(/\/favoritos\/\d+$/)
    await press(page, 'Pôr nos favoritos')
    expect((await answered).status()).toBe(200)
  }
  await starred('Prestadores')
  await starred('Internações')
  await goto('/saidibi')
  const home = page.getByRole('main').getByRole('list', { name: 'Favoritos' })
  const names = async () =>
    (await home.getByRole('link').allTextContents()).map((text) => text.split(/Fin|Ges/)[0])
  await home.waitFor()
  expect(await names()).toEqual(['Prestadores', 'Internações'])
  await home.getByRole('button', { name: 'Organizar Prestadores' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Mover para baixo' }).press('Enter')
  await expect.poll(names).toEqual(['Internações', 'Prestadores'])
  await expectAccessible(page, 'home with favourites')
  const [first, second] = [home.getByRole('listitem').nth(0), home.getByRole('listitem').nth(1)]
  const reordered = page.waitForResponse((answer) => answer.url().endsWith('/favoritos'))
  await first.dragTo(second)
  await reordered
  await expect.poll(names).toEqual(['Prestadores', 'Internações'])
  await page.reload()
  await home.waitFor()
  expect(await names()).toEqual(['Prestadores', 'Internações'])
  const inMenu = page.getByRole('navigation').getByRole('list', { name: 'Favoritos' })
  expect(await inMenu.getByRole('link').allTextContents()).toEqual(['Prestadores', 'Internações'])

  // Keyboard focus prefetches the token; Enter uses it.
  const tokens: boolean[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/relatorio/embed')) tokens.push('x-segundo-plano' in request.headers())
  })
  await inMenu.getByRole('link').first().focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect.poll(() => tokens).toEqual([true])
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === new URL(pathOf('Prestadores'), url).pathname)
  await waitForRendered(page)
  expect(tokens).toEqual([true])
  await visitor.close()
})

/** Presses each toolbar button and checks its effect: in the frame, the window, the clipboard. */
const pressOwnButtons = async ({ page }: Visitor, frame: Frame) => {
  const press = (name: string) => chooseAction(page, name)
  const read = page.waitForRequest(/\/embed-api\/.*\/data$/)
  await press('Atualizar')
  await read
  await page.getByText('Relatório atualizado.').waitFor()

  await frame.evaluate(() => {
    globalThis.print = () => Object.assign(globalThis, { isPrinted: true })
  })
  await press('Imprimir')
  await expect.poll(() => frame.evaluate(() => 'isPrinted' in globalThis)).toBe(true)

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await press('Copiar link')
  await page.getByText('Link copiado.').waitFor()
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  expect(copied.href).toBe(page.url())
  expect([...copied.searchParams.keys()].sort()).toEqual(['pagina', 'sexo'])

  await press('Tela cheia')
  await expect
    .poll(() => page.evaluate(() => document.fullscreenElement?.querySelector('iframe') != null))
    .toBe(true)
  await page.evaluate(() => document.exitFullscreen())
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBe(null)
}

test('full screen on a phone has an exit button above the report, not over it', {
  timeout: 120_000,
}, async () => {
  const visitor = await enter(looks[1])
  const { page } = visitor
  await open(visitor, 'Sinistralidade')
  const leave = page.getByRole('button', { name: 'Sair da tela cheia' })
  expect(await leave.isVisible()).toBe(false)
  await chooseAction(page, 'Tela cheia')
  await leave.waitFor()
  const [button, report] = [await leave.boundingBox(), await page.locator('iframe').first().boundingBox()]
  if (!button || !report) throw new Error('nothing is shown')
  expect(button.height).toBeGreaterThanOrEqual(40)
  expect(button.y + button.height).toBeLessThanOrEqual(report.y)
  expect(report.y + report.height).toBeLessThanOrEqual(844)
  await leave.click()
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBe(null)
  expect(await leave.isVisible()).toBe(false)
  await visitor.close()
})

const clearButton = (frame: Frame) =>
  frame.locator('[data-name=especialidades]').getByRole('button', { name: 'Limpar seleção' })

/** Selects a bar of the second page; `expectIn` checks the selection and its effect. */
const pickSpecialty = async (frame: Frame) => {
  const { custo_vida_faixa: whole } = await dataOf(frame)
  await frame.locator('[data-name=especialidades] .chart').focus()
  await frame.page().keyboard.press('ArrowDown')
  await frame.page().keyboard.press('Enter')
  await clearButton(frame).waitFor()
  await expect.poll(async () => (await dataOf(frame)).custo_vida_faixa).not.toEqual(whole)
  await settled(frame)
  const { custo_vida_faixa: narrowed, especialidades: bars } = await dataOf(frame)
  const expectIn = async (again: Frame) => {
    await clearButton(again).waitFor()
    await expect.poll(async () => (await dataOf(again)).custo_vida_faixa).toEqual(narrowed)
    expect((await dataOf(again)).especialidades).toEqual(bars)
  }
  return { expectIn }
}

/** One format per size: the other differs only in the file. */
const exports = {
  desktop: { label: 'PDF desta página', file: 'Sinistralidade.pdf', starts: '%PDF-' },
  phone: { label: 'Imagem (PNG) desta página', file: 'Sinistralidade.png', starts: '\x89PNG\r\n\x1a\n' },
}

describe.each(looks)('the viewer on the $size', (look) => {
  const { size } = look
  test('the viewer saves views and exports', { timeout: 150_000 }, async () => {
    const visitor = await enter(look)
    const { page } = visitor
    const name = `Visão do ${size}`
    const frame = await open(visitor, 'Sinistralidade')
    await frame.getByRole('tab').nth(1).click()
    await page.waitForURL(/pagina=/)
    const kept = new URL(page.url()).searchParams.get('pagina')
    await filterPanel(page).filterBy('Sexo', 'Feminino')
    await page.waitForURL(/sexo=feminino/)
    await pressOwnButtons(visitor, frame)
    const picked = await pickSpecialty(frame)
    await chooseAction(page, 'Copiar link')
    await page.getByText('Link copiado, sem o que foi clicado no relatório.').waitFor()

    const { panel, ...views } = savedViews(page)
    await views.open()
    await views.startView(name)
    await panel.getByRole('checkbox').check()
    await views.save(name)
    await expectAccessible(page, `saved views ${size}`)
    await expectNoSidewaysScroll(page)
    await page.keyboard.press('Escape')

    // The default view opens with the report, but a link's own filters take precedence.
    await open(visitor, 'Sinistralidade')
    await page.waitForURL(/sexo=feminino/)
    await expect.poll(() => new URL(page.url()).searchParams.get('pagina')).toBe(kept)
    await picked.expectIn(await waitForRendered(page))
    await visitor.goto(`${pathOf('Sinistralidade')}?sexo=masculino`)
    expect(await clearButton(await waitForRendered(page)).count()).toBe(0)
    expect(new URL(page.url()).search).toBe('?sexo=masculino')

    await views.open()
    await panel.getByRole('button', { name, exact: false }).first().click()
    await page.waitForURL(/sexo=feminino/)
    await panel.waitFor({ state: 'hidden' })
    await picked.expectIn(await waitForRendered(page))
    await views.open()
    await press(panel, `Ações da visão ${name}`)
    await expectAccessible(page, `menu of a view ${size}`)
    await page.getByRole('menuitem', { name: 'Excluir' }).click()
    await press(page, 'Sim, excluir')
    await press(page, 'Fechar')
    await panel.getByRole('button', { name: `Ações da visão ${name}` }).waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')

    await press(page, 'Exportar')
    await dialogOf(page, 'Exportar').waitFor()
    await expectAccessible(page, `export ${size}`)
    const saved = page.waitForEvent('download', { timeout: 60_000 })
    const { label, file, starts } = exports[size]
    await page.getByRole('button', { name: label }).click()
    expect((await saved).suggestedFilename()).toBe(file)
    const bytes = await readFile(await (await saved).path())
    expect(bytes.subarray(0, starts.length).toString('latin1')).toBe(starts)
    await visitor.close()
  })

  test("the viewer shows load times on the report's page", { timeout: 60_000 }, async () => {
    const visitor = await enter(look)
    const { page } = visitor
    await visitor.goto('/relatorio?busca=Sinistralidade')
    const answered = page.waitForResponse(/\/desempenho\?dias=30$/)
    await page.getByRole('link', { name: 'Editar Sinistralidade', exact: true }).click()
    const performance: ReportPerformance = await (await answered).json()
    const section = page.getByRole('region', { name: 'Desempenho' })
    await expectChart(section, performance)
    await section.getByText('Ver em números').click()
    expect(await section.locator('tbody').getByRole('row').allInnerTexts()).toEqual(rowsOf(performance))
    await expectAccessible(page, `load times ${size}`)
    await expectNoSidewaysScroll(page)
    await visitor.close()
  })
})

test("an exported PDF has the company's name on each page", { timeout: 90_000 }, async () => {
  const { call } = await signedInClient(demo.portal, people.admin)
  const visitor = await enter()
  await open(visitor, 'Sinistralidade')
  const exported = async () => (await readPdf(await exportAsPdf(visitor.page))).pages
  const plain = await exported()
  await call(appearanceApi.update, { body: { nome: 'Rede Horizonte', cor: '#7a1f5c' } })
  const branded = await exported()
  expect(branded).toHaveLength(plain.length)
  for (const page of branded) expect(page).toContain('Rede Horizonte')
  expect(plain.join()).not.toContain('Rede Horizonte')
  await visitor.close()
})

/** Returns '0,84 s', as in the table. */
const seconds = (ms: number) => {
  const maximumFractionDigits = ms < 10_000 ? 2 : 1
  return `${(ms / 1000).toLocaleString('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits })} s`
}

/** Returns the table below the chart as text, newest day first. */
const rowsOf = ({ porDia }: ReportPerformance) =>
  porDia
    .map(({ dia, visualizacoes, carregado, renderizado }) =>
      [
        dia.slice(5).split('-').reverse().join('/'),
        visualizacoes.toLocaleString('pt-BR'),
        ...[carregado.p50, carregado.p95, renderizado.p50, renderizado.p95].map(seconds),
      ].join('\t'),
    )
    .reverse()

/** Expects a visible point per day and series: later ones further right, longer times higher up. */
const expectChart = async (section: Locator, { porDia }: ReportPerformance) => {
  const series = await section.locator('svg').evaluate((svg) => {
    const area = svg.getBoundingClientRect()
    return Object.fromEntries(
      [...svg.querySelectorAll<SVGGElement>('g[data-series]')].map((group) => {
        const line = group.querySelector('path')
        return [
          group.dataset.series ?? '',
          {
            length: line?.getTotalLength() ?? 0,
            corners: line?.getAttribute('d')?.match(/[ML]/g)?.length,
            ink: line && getComputedStyle(line).stroke,
            points: [...group.querySelectorAll('circle')].map((circle) => {
              const { left, right, top, bottom, width, height } = circle.getBoundingClientRect()
              const isInside =
                left >= area.left && right <= area.right && top >= area.top && bottom <= area.bottom
              return { x: left + width / 2, y: top + height / 2, isSeen: isInside && width > 2 }
            }),
          },
        ]
      }),
    )
  })
  const values: Record<string, (day: ReportPerformance['porDia'][number]) => number> = {
    carregado50: ({ carregado }) => carregado.p50,
    carregado95: ({ carregado }) => carregado.p95,
    renderizado50: ({ renderizado }) => renderizado.p50,
    renderizado95: ({ renderizado }) => renderizado.p95,
  }
  expect(porDia.length).toBeGreaterThan(2)
  expect(Object.keys(series).sort()).toEqual(Object.keys(values).sort())
  const drawn: { ms: number; y: number }[] = []
  for (const [name, { length, corners, ink, points }] of Object.entries(series)) {
    expect([name, corners, points.length]).toEqual([name, porDia.length, porDia.length])
    expect(length, name).toBeGreaterThan(100)
    expect(ink, name).toMatch(/^rgb\(/)
    expect(
      points.every(({ isSeen }) => isSeen),
      name,
    ).toBe(true)
    expect(
      points.map(({ x }) => x),
      name,
    ).toEqual(points.map(({ x }) => x).sort((a, b) => a - b))
    for (const [index, day] of porDia.entries())
      drawn.push({ ms: values[name]?.(day) ?? 0, y: points[index]?.y ?? 0 })
  }
  drawn.sort((one, other) => one.ms - other.ms)
  // Coordinates are rounded to a tenth of a pixel.
  const fallen = drawn.filter(({ y }, index) => y > (drawn[index - 1]?.y ?? y) + 0.5)
  expect(fallen).toEqual([])
  expect((drawn[0]?.y ?? 0) - (drawn.at(-1)?.y ?? 0)).toBeGreaterThan(40)
}
