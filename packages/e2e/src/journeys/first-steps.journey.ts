import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { joinBrowser, leaveBrowser } from '../browser.ts'
import { type Demo, startEmpty } from '../demo.ts'
import { expectDrawn, untilRendered } from '../report-frame.ts'
import { expectNoSidewaysScroll, looks, settled, visit } from '../visitor.ts'

/* From an empty database to a report that a user sees, in the browser alone: what a first administrator does. */

const admin = { email: 'chefe@empresa.exemplo', password: 'Primeira senha 1', name: 'Administrador' }

let browser: Browser
beforeAll(async () => {
  browser = await joinBrowser()
})
afterAll(() => leaveBrowser(browser))

/** What the report service printed at its first start; nobody opens a file. */
/** As the start tells the operator: the name is in its output, the secret in the file that it names. */
const credentialOf = async ({ output, dataDir }: Demo) => {
  const [, username = ''] = /Username\s+(\S+)/.exec(output()) ?? []
  const file = await readFile(join(dataDir, 'reports/service.json'), 'utf8')
  const [application] = JSON.parse(file).applications
  expect(output()).not.toContain(application.clientSecret)
  expect(application.clientId).toBe(username)
  return { username, secret: String(application.clientSecret) }
}

const choose = async (page: Page, label: string, text: string, option = text): Promise<void> => {
  await page
    .getByRole('combobox', { name: label, exact: true })
    .or(page.getByLabel(label, { exact: true }))
    .first()
    .fill(text)
  await page.getByRole('option', { name: option }).first().click()
}

const dialog = (page: Page, text: string): Locator => page.getByRole('dialog').filter({ hasText: text })

describe('an empty portal', () => {
  let portal: Demo
  beforeAll(async () => {
    portal = await startEmpty(
      { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
      inject('demoData'),
    )
  })
  afterAll(() => portal.stop())

  test('connection, test, workspace, import, user, permission, and the user reads the report', {
    timeout: 240_000,
  }, async () => {
    const visitor = await visit(browser, { portal: portal.portal })
    const { page } = visitor
    const { username, secret } = await credentialOf(portal)
    await visitor.goto('/')
    await visitor.signIn(admin)

    await visitor.goto('/Registerpowerbi')
    await page.getByLabel('Nome do Powebi').fill('Relatórios da casa')
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Senha', { exact: true }).fill(secret)
    await choose(page, 'Responsável', 'Administração')
    await choose(page, 'Cliente', 'Administrador')
    await page.getByRole('button', { name: 'Gravar', exact: true }).click()
    await dialog(page, 'Powerbi cadastrado!').getByRole('button', { name: 'Testar conexão' }).click()
    for (const step of ['Credencial', 'Grupos', 'Relatório', 'Token de incorporação']) {
      await page.getByText(step, { exact: true }).first().waitFor()
    }
    await page.getByText('A conexão enxerga 4 grupos.').waitFor()
    await settled(visitor, 'connection test')

    await visitor.goto('/Registerworkspace')
    await choose(page, 'Power Bi', 'casa', 'Relatórios da casa')
    await choose(page, 'Grupo', 'populacao', 'População')
    await page.getByLabel('Nome do Workspace').fill('Diretoria')
    await page.getByRole('button', { name: 'Gravar', exact: true }).click()
    await dialog(page, 'Workspace cadastrado!').getByRole('button', { name: 'Importar relatórios' }).click()
    const importing = page.getByRole('dialog', { name: 'Importar relatórios de Diretoria' })
    await importing.getByLabel('Operadora para todos').fill('CNU')
    await importing.getByLabel('Marcar todos').check()
    await settled(visitor, 'import')
    await importing.getByRole('button', { name: 'Importar', exact: true }).click()
    await importing.getByText(/relatórios? importados?!/).waitFor()

    await visitor.goto('/cadastrar-usuario')
    await page.getByLabel('Nome do usuário').fill('Clara Nunes')
    await page.getByLabel('E-mail').fill('clara@empresa.exemplo')
    await page.getByLabel('Gerar senha automaticamente').check()
    const password = await page.getByLabel('Senha', { exact: true }).inputValue()
    expect(password).toMatch(/^[0-9a-zA-JL-Z!@#$%&*]{16}$/)
    await page.getByRole('button', { name: 'Gravar', exact: true }).click()
    await dialog(page, 'Usuário cadastrado!').getByRole('button', { name: 'Fechar' }).click()
    await page.getByRole('link', { name: /permissões.*Clara Nunes/i }).click()

    await page.getByText('Selecione o grupo deste perfil: Clara Nunes').waitFor()
    await page.getByPlaceholder('Pesquisar grupo...').fill('diretoria')
    await page.getByRole('option', { name: 'Diretoria' }).click()
    await page.getByRole('button', { name: 'Buscar Relatórios' }).click()
    const boxes = page.getByRole('main').getByRole('checkbox')
    await boxes.first().waitFor()
    for (const box of await boxes.all()) await box.check()
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Salvar' }).click()
    const confirming = page.getByRole('dialog')
    await confirming.getByRole('button', { name: /Salvar|Confirmar/ }).click()
    await page
      .getByText(/permissões (foram )?salvas/i)
      .first()
      .waitFor()
    await visitor.close()

    const clara = await visit(browser, { portal: portal.portal, ...looks[1] })
    await clara.goto('/')
    await clara.signIn({ email: 'clara@empresa.exemplo', password, name: 'Clara Nunes' })
    // Her password was typed by an administrator.
    await clara.page.getByRole('button', { name: 'Agora não' }).click()
    await clara.page.getByRole('main').getByRole('link').filter({ hasText: /./ }).first().waitFor()
    await clara.page.getByRole('main').locator('a[href^="/relatorio-embed/"]').first().click()
    const frame = await untilRendered(clara.page)
    await expectDrawn(frame, 'the first report')
    await clara.close()
  })
})
