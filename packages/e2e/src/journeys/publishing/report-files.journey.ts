import { readFile } from 'node:fs/promises'
import { readWorkbook } from '@bi-manager/reports/test/read-workbook'
import type { Frame, Page } from 'playwright-core'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { dataOf, waitForRendered } from '../../browser/report-frame.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  type Look,
  looks,
  type Visitor,
  visit,
} from '../../browser/visitor.ts'
import { dialogOf, press } from '../../pages/back-office.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

/* What a reader takes from a report: spreadsheets, pictures and printed sheets. */

const visitors = new Map<Look, Visitor>()
afterAll(async () => {
  for (const visitor of visitors.values()) await visitor.close()
})

/** Opens the demo's report 'Prestadores'. */
const open = async (look: Look) => {
  const visitor = visitors.get(look) ?? (await visit(look))
  visitors.set(look, visitor)
  const { menu } = await signedInClient(inject('portal'), people.admin)
  const report = reportsOf(await menu()).find(({ name }) => name === 'Prestadores')
  await visitor.enter(people.admin, report?.path ?? '')
  return { page: visitor.page, frame: await waitForRendered(visitor.page) }
}

const menuOf = (frame: Frame, title: string) =>
  frame.getByRole('button', { name: `Mais opções: ${title}`, exact: true })

/** Opens a visual's menu by keyboard and chooses an entry. */
const choose = async (page: Page, frame: Frame, title: string, entry: string) => {
  await menuOf(frame, title).focus()
  await page.keyboard.press('Enter')
  const item = frame.getByRole('menuitem', { name: entry })
  await item.waitFor()
  while (!(await item.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

const saved = async (page: Page, act: () => Promise<unknown>) => {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), act()])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

const picture = async (page: Page) => {
  const base64 = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const bytes = new Uint8Array((await (await item?.getType('image/png'))?.arrayBuffer()) ?? [])
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  })
  return Buffer.from(base64, 'base64')
}

/** Reads width and height of a PNG. */
const sizeOf = (png: Buffer) => ({
  signature: png.subarray(1, 4).toString('latin1'),
  width: png.readUInt32BE(16),
  height: png.readUInt32BE(20),
})

describe.each(looks)('files of a report on the $size', (look) => {
  const { size } = look

  test('the data of a visual and of the page are spreadsheets with the rows of the screen', {
    timeout: 120_000,
  }, async () => {
    const { page, frame } = await open(look)
    const shown = (await dataOf(frame)).por_uf ?? []
    await menuOf(frame, 'Custo por estado').focus()
    await page.keyboard.press('Enter')
    await frame.getByRole('menuitem', { name: 'Exportar dados (XLSX)' }).waitFor()
    await expectAccessible(page, `menu of a visual ${size}`)
    await page.keyboard.press('Escape')

    const one = await saved(page, () => choose(page, frame, 'Custo por estado', 'Exportar dados (XLSX)'))
    expect(one.name).toBe('Prestadores - Custo por estado.xlsx')
    const sheets = await readWorkbook(one.bytes)
    expect(Object.keys(sheets)).toEqual(['Sobre', 'Custo por estado'])
    const [heading, ...rows] = sheets['Custo por estado'] ?? []
    expect(heading?.every((text) => typeof text === 'string')).toBe(true)
    expect(rows.map(([state]) => state)).toEqual(shown.map(([state]) => state))
    expect(rows.every(([, cost]) => typeof cost === 'number')).toBe(true)
    const facts = Object.fromEntries((sheets.Sobre ?? []).map(([label, fact]) => [label, fact]))
    expect(facts).toMatchObject({ 'Exportado por': expect.any(String), 'Dados de': expect.any(Date) })
    await page.getByText('Planilha salva nos seus downloads.').waitFor()
    await expectNoSidewaysScroll(page)

    await press(page, 'Exportar')
    await dialogOf(page, 'Exportar').waitFor()
    await expectAccessible(page, `export ${size}`)
    const whole = await saved(page, () => press(page, 'Dados da página (XLSX)'))
    expect(whole.name).toBe('Prestadores.xlsx')
    const ofPage = await readWorkbook(whole.bytes)
    const [first, ...names] = Object.keys(ofPage)
    expect(first).toBe('Sobre')
    const drawn = Object.entries(await dataOf(frame)).filter(([, table]) => table.length > 0)
    expect(names).toHaveLength(drawn.length)
    expect(ofPage['Custo por estado']).toEqual(sheets['Custo por estado'])
  })

  test('a chart is copied as a picture, or saved where the browser refuses', {
    timeout: 120_000,
  }, async () => {
    const { page, frame } = await open(look)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await choose(page, frame, 'Custo por estado', 'Copiar como imagem')
    await frame.getByText('Imagem copiada.').waitFor()
    const copied = await picture(page)
    const { signature, width, height } = sizeOf(copied)
    expect(signature).toBe('PNG')
    expect(width).toBeGreaterThanOrEqual(720)
    expect(height).toBeGreaterThan(400)

    await frame.evaluate(() => {
      navigator.clipboard.write = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))
    })
    const file = await saved(page, () => choose(page, frame, 'Custo por estado', 'Copiar como imagem'))
    expect(file.name).toBe('Custo por estado.png')
    expect(sizeOf(file.bytes)).toMatchObject({ signature: 'PNG', width })
    await frame.getByText('O navegador não deixou copiar.').waitFor()
  })

  test('printed sheets say of when the data is and which filters apply', { timeout: 60_000 }, async () => {
    const { page, frame } = await open(look)
    await page.emulateMedia({ media: 'print' })
    await frame.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    const caption = frame.locator('.print-caption')
    expect(await caption.isVisible()).toBe(true)
    expect(await caption.textContent()).toMatch(/ · Dados de \d\d\/\d\d\/\d{4}, \d\d:\d\d/)
    const rules = await frame.evaluate(() =>
      document.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)),
    )
    expect(rules.join()).toContain('@bottom-left')
    await page.emulateMedia({ media: 'screen' })
    await frame.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    expect(await caption.isVisible()).toBe(false)
  })
})

test('a table has no picture: one could not hold all its rows', { timeout: 60_000 }, async () => {
  const { page, frame } = await open(looks[0])
  await frame.getByRole('tab', { name: 'Detalhe' }).click()
  await menuOf(frame, 'Prestadores').focus()
  await page.keyboard.press('Enter')
  await frame.getByRole('menuitem', { name: 'Exportar dados (XLSX)' }).waitFor()
  expect(await frame.getByRole('menuitem', { name: 'Copiar como imagem' }).count()).toBe(0)
})
