import { join } from 'node:path'
import { beneficiariesApi, dataProtectionApi } from '@bi-manager/contract'
import { literal, openDatabase } from '@bi-manager/reports/engine/data/database/database'
import type { Frame } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { dataOf, settled, waitForRendered } from '../../browser/report-frame.ts'
import { expectReadable, looks, visit } from '../../browser/visitor.ts'
import { dialogOf, press } from '../../pages/back-office.ts'
import { clinicalPanel, givePurpose } from '../../pages/clinical-panel.ts'
import { filterPanel } from '../../pages/viewer.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')
/** The demo has registered its people with these plan ids. */
const ofDemo = /^EX-00(0\d|1\d|2[0-4])$/
/** Helena's identity for rows. */
const insurer = 'CNU'

/** The plan ids of women behind 'Internação' of the last twelve months, sorted. */
let behind: string[] = []
const registered: { id: number; name: string; code: string }[] = []

beforeAll(async () => {
  const database = await openDatabase({ memoryMegabytes: 256, timeoutMs: 20_000 })
  const file = join(inject('demoData'), 'reports/datasets/saude-restrita/Sinistralidade.parquet')
  const claims = `read_parquet(${literal(file)})`
  const rows = await database.load(
    `SELECT DISTINCT id_beneficiario FROM ${claims}
      WHERE operadora = '${insurer}' AND tipo = 'internação' AND sexo = 'feminino'
        AND mes > (SELECT max(mes) FROM ${claims}) - INTERVAL 12 MONTH ORDER BY 1`,
  )
  await database.close()
  behind = rows.map(([id]) => String(id))
  const helena = await signedInClient(portal, people.helena)
  for (const [index, code] of [behind[0], behind[7]].entries()) {
    const body = { nome_beneficiario: `Ponto Exemplo ${index + 1}`, id_beneficiario: code ?? '' }
    const { id, nome_beneficiario: name } = await helena.call(beneficiariesApi.create, { body })
    registered.push({ id, name, code: body.id_beneficiario })
  }
})

const clearButton = (frame: Frame) =>
  frame.locator('[data-name=por_tipo]').getByRole('button', { name: 'Limpar seleção' })

/** Picks the data point by keyboard. */
const pickByKeyboard = async (frame: Frame) => {
  const { por_tipo: rows = [] } = await dataOf(frame)
  const at = rows.findIndex(([first]) => first === 'Internação')
  await frame.locator('[data-name=por_tipo] .chart').focus()
  for (let row = 0; row <= at; row += 1) await frame.page().keyboard.press('ArrowDown')
  await frame.page().keyboard.press('Enter')
  await clearButton(frame).waitFor()
  await settled(frame)
}

describe.each(looks)('a point on the $size, $colorScheme', (look) => {
  test('a point leads a clinician to the people behind it, after a purpose is stated', {
    timeout: 120_000,
  }, async () => {
    const helena = await signedInClient(portal, people.helena)
    const report = reportsOf(await helena.menu()).find(({ name }) => name === 'Sinistralidade')
    const visitor = await visit(look)
    const { page } = visitor
    await visitor.enter(people.helena, report?.path ?? '')
    let frame = await waitForRendered(page)
    await filterPanel(page).filterBy('Sexo', 'Feminino')
    await page.waitForURL(/sexo=feminino/)
    frame = await waitForRendered(page)
    const button = page.getByRole('button', { name: 'Ver beneficiários' })
    expect(await button.count()).toBe(0)
    await pickByKeyboard(frame)
    await button.waitFor()
    await expectReadable(page, `point ${look.size} ${look.colorScheme}`)
    await button.click()

    const dialog = dialogOf(page, 'Beneficiários por trás do ponto')
    await dialog.getByRole('radio', { name: 'Atendimento' }).waitFor()
    await expectReadable(page, `purpose ${look.size}`)
    await givePurpose(page, 'Atendimento')
    const known = registered.length + behind.filter((code) => ofDemo.test(code)).length
    await dialog
      .getByText(
        `${known} beneficiários. Escolha um para ver os prontuários. Há ${behind.length - known} IDs que não estão cadastrados.`,
        { exact: true },
      )
      .waitFor()
    const names = await dialog
      .getByRole('list', { name: 'Beneficiários' })
      .getByRole('button')
      .allInnerTexts()
    expect(names).toHaveLength(known)
    for (const { name, code } of registered)
      expect(names.filter((text) => text.includes(name) && text.includes(`ID ${code}`))).toHaveLength(1)
    await expectReadable(page, `people of the point ${look.size}`)

    // The access log has each listed person, with the purpose.
    for (const { id } of registered) {
      const [last] = await helena.call(dataProtectionApi.accesses, { params: { id }, query: {} })
      expect(last).toMatchObject({ acao: 'lido', objeto: 'beneficiario', finalidade: 'Atendimento' })
    }

    // A person opens the panel with their records.
    await dialog.getByRole('button', { name: new RegExp(`^Prontuários de ${registered[0]?.name}`) }).click()
    await clinicalPanel(page).tab('Prontuários').waitFor()
    await page
      .getByText(registered[0]?.name ?? '')
      .filter({ visible: true })
      .first()
      .waitFor()
    await visitor.close()
  })
})

test('a click picks a point too; without it, there is no button', { timeout: 120_000 }, async () => {
  const helena = await signedInClient(portal, people.helena)
  const report = reportsOf(await helena.menu()).find(({ name }) => name === 'Sinistralidade')
  const visitor = await visit()
  const { page } = visitor
  await visitor.enter(people.helena, report?.path ?? '')
  const frame = await waitForRendered(page)
  await frame.getByRole('tab').nth(1).click()
  const chart = frame.locator('[data-name=especialidades] .chart')
  await chart.waitFor()
  await settled(frame)
  // The first bar is the longest.
  const { width = 0, height = 0 } = (await chart.boundingBox()) ?? {}
  await chart.click({ position: { x: width / 2, y: height * 0.07 } })
  const clear = frame.locator('[data-name=especialidades]').getByRole('button', { name: 'Limpar seleção' })
  await clear.waitFor()
  const button = page.getByRole('button', { name: 'Ver beneficiários' })
  await button.waitFor()
  await press(page, 'Ver beneficiários')
  await dialogOf(page, 'Beneficiários por trás do ponto').waitFor()
  await page.keyboard.press('Escape')
  await clear.click()
  await expect.poll(() => button.count()).toBe(0)
  await visitor.close()
})

test('a person without access to records gets no button', { timeout: 120_000 }, async () => {
  const admin = await signedInClient(portal, people.admin)
  const report = reportsOf(await admin.menu()).find(({ name }) => name === 'Sinistralidade')
  const visitor = await visit()
  const { page } = visitor
  await visitor.enter(people.admin, report?.path ?? '')
  const frame = await waitForRendered(page)
  await pickByKeyboard(frame)
  expect(await page.getByRole('button', { name: 'Ver beneficiários' }).count()).toBe(0)
  await visitor.close()
})
