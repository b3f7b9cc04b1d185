import { readFile } from 'node:fs/promises'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataOf } from '../../browser/report-frame.ts'
import { expectAccessible, expectNoSidewaysScroll, type Size, sizes } from '../../browser/visitor.ts'
import { createReportReaders, type ReportReaders } from '../../pages/report-readers.ts'

/*
 * Tables, a matrix, slicers, a visual's menu, the phone layout and printing, from a reader's view.
 */

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

const open = async (size: Size, name: string, tab?: string) => {
  const { page, frame } = await readers.open(size, name)
  if (tab) await turnTo(frame, tab)
  return { page, frame }
}

const turnTo = async (frame: Frame, tab: string) => {
  await frame.getByRole('tab', { name: tab }).click()
  await settled(frame)
}

/** Waits until no visual is loading rows or code. */
const settled = (frame: Frame) =>
  expect.poll(() => frame.locator('[aria-busy=true], .skeleton').count(), { timeout: 15_000 }).toBe(0)

const visual = (frame: Frame, name: string) => frame.locator(`[data-name=${name}]`)

const texts = async (frame: Frame, selector: string) =>
  (await frame.locator(selector).allTextContents()).map((text) => text.replaceAll('\u00a0', ' '))

/** Opens a visual's menu by keyboard and chooses an entry. */
const choose = async (page: Page, frame: Frame, title: string, entry: string) => {
  await frame.getByRole('button', { name: `Mais opções: ${title}`, exact: true }).focus()
  await page.keyboard.press('Enter')
  const item = frame.getByRole('menuitem', { name: entry })
  await item.waitFor()
  while (!(await item.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

describe.each(sizes)('a report table on the %s', (size) => {
  test('a report table expands and collapses as a matrix, and slicers filter it', {
    timeout: 120_000,
  }, async () => {
    const { page, frame } = await open(size, 'Custo por operadora', 'Por ano')
    const rows = async () => (await dataOf(frame)).matriz ?? []
    const whole = await rows()
    expect(await texts(frame, '.matrix thead tr:first-child th[scope=colgroup]')).toEqual([
      '2024',
      '2025',
      '2026',
      'Total',
    ])
    expect((await texts(frame, '.matrix tfoot th')).at(0)).toBe('Total')
    await expectAccessible(page, `matrix ${size}`)
    await expectNoSidewaysScroll(page)

    const group = frame.getByRole('button', { name: 'Bradesco', expanded: true })
    await group.focus()
    await page.keyboard.press('ArrowLeft')
    expect(await rows()).toHaveLength(whole.length - 5)
    expect(await frame.locator('.toggle:focus').textContent()).toBe('Bradesco')
    await page.keyboard.press('Enter')
    expect(await rows()).toEqual(whole)

    await visual(frame, 'plano').getByLabel('Nacional Plus').check()
    await expect.poll(rows, { timeout: 15_000 }).not.toEqual(whole)
    const plus = await rows()
    const from = visual(frame, 'periodo').getByLabel('De')
    await from.fill('31/02/2025')
    await from.press('Enter')
    await visual(frame, 'periodo').getByText('Esta data não existe: escreva dd/mm/aaaa.').waitFor()
    await from.fill('')
    await from.pressSequentially('01012025')
    await from.press('Enter')
    await expect
      .poll(() => texts(frame, '.matrix thead th[scope=colgroup]'), { timeout: 15_000 })
      .toEqual(['2025', '2026', 'Total'])
    await expectAccessible(page, `slicers ${size}`)
    await frame.getByRole('button', { name: 'Limpar Período' }).click()
    await expect.poll(rows, { timeout: 15_000 }).toEqual(plus)
    await frame.getByRole('button', { name: 'Só internações' }).click()
    const types = async () => new Set((await rows()).map(([first]) => first))
    await expect.poll(types, { timeout: 15_000 }).toContain('Internação')
    await expect.poll(types, { timeout: 15_000 }).not.toContain('Consulta')
    await frame.getByRole('button', { name: 'Limpar filtros' }).click()
    await expect.poll(rows, { timeout: 15_000 }).toEqual(whole)
    expect(await visual(frame, 'plano').getByLabel('Nacional Plus').isChecked()).toBe(false)
  })

  test('a report table replaces a chart on request, sorts, keeps its totals, and exports CSV', {
    timeout: 120_000,
  }, async () => {
    const { page, frame } = await open(size, 'Prestadores')
    const before = (await dataOf(frame)).por_uf
    await choose(page, frame, 'Custo por estado', 'Mostrar como tabela')
    const table = visual(frame, 'por_uf').getByRole('table', { name: 'Custo por estado' })
    await table.waitFor()
    const inFull = (await dataOf(frame)).por_uf ?? []
    expect(inFull.map(([state]) => state)).toEqual(before?.map(([state]) => state))
    // The chart abbreviates ('R$ 12,7 mi'); the table shows full numbers.
    const short = (text = '') =>
      new Intl.NumberFormat('pt-BR', {
        notation: 'compact',
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      }).format(Number(text.replace(/[^\d,]/g, '').replace(',', '.')))
    expect(inFull.map(([, cost]) => `R$\u00a0${short(cost)}`)).toEqual(before?.map(([, cost]) => cost))
    expect(await frame.locator('.more:focus').getAttribute('title')).toBe('Mais opções')
    await expectAccessible(page, `chart as a table ${size}`)
    await choose(page, frame, 'Custo por estado', 'Voltar ao gráfico')
    await visual(frame, 'por_uf').locator('canvas').waitFor()

    await turnTo(frame, 'Detalhe')
    const names = async () => ((await dataOf(frame)).lista ?? []).map(([first]) => first ?? '')
    const byCost = await names()
    expect(await visual(frame, 'lista').locator('th[aria-sort=descending]').textContent()).toBe('Custo')
    await frame.getByRole('button', { name: 'Prestador', exact: true }).click()
    const byName = await names()
    expect(byName).toEqual(byCost.toSorted(new Intl.Collator('pt-BR').compare))
    expect((await texts(frame, '.visual-table tfoot th')).at(0)).toBe('Total')
    expect(await visual(frame, 'lista').getByText('Crítico').count()).toBeGreaterThan(0)
    await expectAccessible(page, `table ${size}`)

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      choose(page, frame, 'Prestadores', 'Exportar dados (CSV)'),
    ])
    expect(download.suggestedFilename()).toBe('Prestadores.csv')
    const [heading = '', ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    expect(heading.startsWith('\uFEFFPrestador;UF;Atendimentos;')).toBe(true)
    expect(lines.map((line) => line.split(';')[0])).toEqual(byName)
    expect(lines[0]).toMatch(/;\d+,\d+;/)
    await visual(frame, 'lista').getByText(`Prestadores.csv: ${lines.length} linhas.`).waitFor()

    const offered = () => visual(frame, 'busca_especialidade').locator('.value').allTextContents()
    const search = visual(frame, 'busca_especialidade').getByRole('searchbox')
    expect((await offered()).length).toBeGreaterThan(2)
    await search.fill('clinica ME')
    await expect.poll(offered, { timeout: 15_000 }).toEqual(['Clínica médica'])
    await search.fill('%')
    await visual(frame, 'busca_especialidade').getByText('Nenhum valor encontrado.').waitFor()
  })
})

test("a phone shows the author's order, and the canvas layout when rotated", {
  timeout: 120_000,
}, async () => {
  const { page } = await open('phone', 'Custo por operadora', 'Por ano')
  // After rotation the report opens in the other layout, in another frame.
  const order = async () => {
    const frame = page.frames().find((candidate) => candidate.url().includes('/reportEmbed'))
    const named = frame?.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.visual')]
        .filter((element) => element.checkVisibility())
        .map(({ dataset }) => dataset.name),
    )
    return named?.catch(() => undefined)
  }
  const authored = ['periodo', 'plano', 'matriz', 'como_ler', 'internacoes', 'limpar', 'ver_detalhe']
  expect(await order()).toEqual(authored)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect
    .poll(order, { timeout: 20_000 })
    .toEqual(['plano', 'periodo', 'como_ler', 'ver_detalhe', 'internacoes', 'limpar', 'matriz'])
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(order, { timeout: 20_000 }).toEqual(authored)
})

test('the printed page has every row, but no slicers and menus', { timeout: 120_000 }, async () => {
  const { page, frame } = await open('desktop', 'Prestadores', 'Detalhe')
  await page.emulateMedia({ media: 'print' })
  await frame.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  const { cut, shown } = await frame.evaluate(() => {
    const scroll = document.querySelector('.visual-table .scroll')
    return {
      cut: scroll ? scroll.scrollHeight - scroll.clientHeight : Number.NaN,
      shown: [...document.querySelectorAll('.visual-slicer, .more, .bar')].filter((element) =>
        element.checkVisibility(),
      ).length,
    }
  })
  expect(cut).toBeLessThanOrEqual(1)
  expect(shown).toBe(0)
  await page.emulateMedia({ media: 'screen' })
  await frame.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await visual(frame, 'estado').waitFor()
})
