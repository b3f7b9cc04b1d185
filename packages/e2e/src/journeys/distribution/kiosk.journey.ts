import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { expectDrawn } from '../../browser/report-frame.ts'
import { expectReadable, looks, settled, visit } from '../../browser/visitor.ts'
import { dialogOf, press } from '../../pages/back-office.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

/* A screen on a wall: from the code over a rotation of two pages to its disconnection. */

const portal = inject('portal')

/** The name of the page that the screen shows, as its buttons say it. */
const titleOn = (page: Page) => page.locator('main strong').first()

const frameOn = async (page: Page) => {
  const frame = await (await page.locator('[data-shown="true"] iframe').elementHandle())?.contentFrame()
  if (!frame) throw new Error('The screen shows no report.')
  return frame
}

/** The cursor over the middle of the screen. */
const cursorOf = (page: Page) =>
  page.evaluate(() => {
    const element = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
    return element && getComputedStyle(element).cursor
  })

/** Makes the portal answer this page as a later build of itself. */
const announceVersion = async (page: Page) => {
  const build = '9999999999999-abcdefabcdef'
  await page.route('**/api/telao/rotacao', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-portal-build': build } })
  })
  // Chromium shows no report in a page that Playwright answered: only the question is answered here.
  await page.route('**/telao', async (route) => {
    if (route.request().isNavigationRequest()) return route.continue()
    const response = await route.fetch()
    const body = (await response.text()).replace(/<html data-build="[^"]+"/, `<html data-build="${build}"`)
    await route.fulfill({ response, body })
  })
}

/** Whether the report on the screen is drawn for a dark page. */
const isDark = async (page: Page) =>
  (await frameOn(page)).evaluate(() => document.documentElement.dataset.colorScheme === 'dark')

test('a screen shows two pages of reports in turn until an ADMIN disconnects it', {
  timeout: 240_000,
}, async () => {
  const { menu } = await signedInClient(portal, people.ana)
  const [first, second] = reportsOf(await menu())
  if (!first || !second) throw new Error('Ana has fewer than two reports.')

  const admin = await visit(looks[0])
  const { page, main } = admin
  await admin.enter(people.admin, '/teloes')
  await main.getByText(/^Nenhum telão cadastrado ainda/).waitFor()
  await main.getByRole('link', { name: 'Cadastrar telão' }).first().click()
  await page.getByLabel('Nome', { exact: true }).fill('Recepção')
  await press(page, 'Acrescentar página')
  for (const [index, { name }] of [first, second].entries()) {
    const group = page.getByRole('group', { name: `Página ${index + 1}`, exact: true })
    await group.getByRole('combobox', { name: 'Relatório' }).fill(name)
    await page.getByRole('option', { name }).first().click()
    await group.getByLabel('Segundos').fill(index === 0 ? '2' : '6')
  }
  const pagesOfSecond = page
    .getByRole('group', { name: 'Página 2', exact: true })
    .getByLabel('Página', { exact: true })
  await expect.poll(() => pagesOfSecond.locator('option').count()).toBeGreaterThan(1)
  admin.expectComplaint(/422/)
  await press(page, 'Gravar')
  await main.getByText('Informe de 5 a 3600 segundos.', { exact: true }).waitFor()
  await settled(admin, 'a faulty kiosk')
  await page.getByRole('group', { name: 'Página 1', exact: true }).getByLabel('Segundos').fill('6')
  await press(page, 'Gravar')
  await press(dialogOf(page, 'Telão cadastrado!'), 'Fechar')
  await main.getByText('Sem tela').filter({ visible: true }).first().waitFor()
  await settled(admin, 'the list of kiosks')
  await page.getByRole('link', { name: 'Editar Recepção' }).click()
  const screenOf = page.getByRole('region', { name: 'Tela', exact: true })
  await screenOf.getByText('Sem tela').waitFor()
  await settled(admin, 'a kiosk without a screen')

  const wall = await visit({ size: 'desktop', colorScheme: 'dark' })
  await wall.goto('/telao')
  const codeText = wall.page.getByText(/^[A-Z]{4}-[A-Z]{4}$/)
  await codeText.waitFor()
  await settled(wall, 'the code of a screen')
  // Playwright's preference would also apply to the report, instead of the look of the kiosk.
  await wall.page.emulateMedia({ colorScheme: null })
  const code = (await codeText.textContent()) ?? ''

  await press(screenOf, 'Conectar tela')
  admin.expectComplaint(/422/)
  await page.getByLabel('Código').fill('BCDF-GHJK')
  await press(dialogOf(page, 'Conectar tela'), 'Continuar')
  await page.getByText(/^Código incorreto, vencido ou já usado/).waitFor()
  await settled(admin, 'a wrong code')
  await page.getByLabel('Código').fill(code.toLowerCase())
  await press(dialogOf(page, 'Conectar tela'), 'Continuar')
  const question = dialogOf(page, 'É esta a tela?')
  await question.getByText('Chrome no Linux').waitFor()
  await settled(admin, 'the question before a connection')
  await press(question, 'Conectar esta tela')
  await screenOf.getByText('No ar').waitFor()
  await screenOf.getByText(/, por Marina Alves$/).waitFor()
  await settled(admin, 'a connected kiosk')

  // The look of the kiosk is light, whatever the browser prefers.
  await titleOn(wall.page).getByText(first.name).waitFor({ timeout: 60_000 })
  await expectDrawn(await frameOn(wall.page), first.name)
  expect(await isDark(wall.page)).toBe(false)
  // Which report it is and how old its data is stays visible, also without a mouse.
  await wall.page.getByText(/^Dados de \d\d\/\d\d \d\d:\d\d$/).waitFor()
  await expect.poll(() => cursorOf(wall.page)).toBe('none')
  await titleOn(wall.page).getByText(second.name).waitFor({ timeout: 60_000 })
  await wall.page.keyboard.press('Space')
  await wall.page.getByText(/ · em pausa$/).waitFor()
  await expectDrawn(await frameOn(wall.page), second.name)
  await expectReadable(wall.page, 'a screen with a report')
  await wall.page.keyboard.press('ArrowLeft')
  await titleOn(wall.page).getByText(first.name).waitFor({ timeout: 60_000 })
  await wall.page.keyboard.press('Space')

  // Without a network the page stays, with the time of its data.
  wall.expectComplaint(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  await wall.page.context().setOffline(true)
  await wall.page.getByText(/^Sem conexão desde \d\d:\d\d · dados de \d\d\/\d\d \d\d:\d\d$/).waitFor()
  await expectDrawn(await frameOn(wall.page), 'a report without a network')
  await wall.page.context().setOffline(false)
  await wall.page.getByText(/^Sem conexão desde/).waitFor({ state: 'detached' })
  await titleOn(wall.page).getByText(second.name).waitFor({ timeout: 60_000 })

  // The rotation follows a saved kiosk: the dark look.
  await page.getByText('Escura').click()
  await press(page, 'Gravar')
  await press(dialogOf(page, 'Telão editado!'), 'Fechar')
  await wall.page.locator('main[data-look="ESCURO"]').waitFor()
  await expect.poll(() => isDark(wall.page)).toBe(true)
  await expectReadable(wall.page, 'a dark screen with a report')

  // A new version is loaded without a click, once, as after a power cut: the screen stays connected.
  let loads = 0
  wall.page.on('load', () => {
    loads += 1
  })
  await announceVersion(wall.page)
  await expect.poll(() => loads, { timeout: 60_000 }).toBe(1)
  await wall.page.unrouteAll({ behavior: 'ignoreErrors' })
  await titleOn(wall.page).getByText(first.name).waitFor({ timeout: 60_000 })
  await titleOn(wall.page).getByText(second.name).waitFor({ timeout: 60_000 })
  await expectDrawn(await frameOn(wall.page), 'a report of the new version')
  expect(await isDark(wall.page)).toBe(true)

  // A page that leaves the rotation leaves the screen; the screen goes on with the other one.
  await page.getByRole('link', { name: 'Editar Recepção' }).click()
  await press(page, 'Retirar a página 2')
  await press(page, 'Gravar')
  await press(dialogOf(page, 'Telão editado!'), 'Fechar')
  await wall.page.getByText(/^1 de 1 · dados de/).waitFor({ timeout: 60_000 })
  await titleOn(wall.page).getByText(first.name).waitFor({ timeout: 60_000 })
  await expectReadable(wall.page, 'a screen with one page')
  expect(loads).toBe(1)

  await page.getByRole('link', { name: 'Editar Recepção' }).click()
  await press(screenOf, 'Desconectar')
  await press(dialogOf(page, 'Desconectar a tela deste telão?'), 'Sim, desconectar')
  wall.expectComplaint(/401/)
  await wall.page.getByRole('heading', { name: 'Conectar esta tela' }).waitFor({ timeout: 15_000 })
  expect(await wall.page.locator('iframe').count()).toBe(0)
  await press(dialogOf(page, 'Tela desconectada!'), 'Fechar')
  await screenOf.getByText('Sem tela').waitFor()

  await page.getByRole('link', { name: 'Telões', exact: true }).first().click()
  await page.getByRole('button', { name: 'Excluir Recepção' }).click()
  await press(dialogOf(page, 'Deseja mesmo excluir este telão?'), 'Sim, excluir')
  await press(dialogOf(page, 'Telão excluído!'), 'Fechar')
  await admin.close()
  await wall.close()
})
