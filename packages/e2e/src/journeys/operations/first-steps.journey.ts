import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { expectDrawn, waitForRendered } from '../../browser/report-frame.ts'
import { expectNoSidewaysScroll, looks, settled, type Visitor, visit } from '../../browser/visitor.ts'
import { press } from '../../pages/back-office.ts'
import { dialog, importReports, registerWorkspace } from '../../pages/first-report.ts'
import { type Demo, startEmpty } from '../../services/demo.ts'

/* A first administrator starts with an empty database and ends with a report that a user opens. */

const admin = { email: 'chefe@empresa.exemplo', password: 'Primeira senha 1', name: 'Administrador' }

/** The portal registers the local service's connection, and tests it once the service answers. */
const untilConnected = ({ page }: Visitor, checklist: Locator) =>
  expect
    .poll(
      async () => {
        await page.reload()
        return checklist.getByText(/de 10 feitos/).textContent()
      },
      { timeout: 30_000, interval: 1_000 },
    )
    .toBe('3 de 10 feitos')

const secretOf = async ({ dataDir }: Demo): Promise<string> => {
  const file = await readFile(join(dataDir, 'reports/service.json'), 'utf8')
  return JSON.parse(file).applications[0].clientSecret
}

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
    const visitor = await visit({ portal: portal.portal })
    const { page } = visitor
    await visitor.goto('/')
    await visitor.signIn(admin)

    const checklist = page.getByRole('region', { name: 'Primeiros passos' })
    await untilConnected(visitor, checklist)
    expect(await page.getByText(/Peça acesso/).count()).toBe(0)
    expect(portal.output()).not.toContain(await secretOf(portal))
    await settled(visitor, 'the first steps')
    const steps = () => checklist.getByRole('link').evaluateAll((links) => links.map((a) => a.ariaLabel))
    expect((await steps()).slice(0, 3)).toEqual([
      'Configurar: Configurar o seu segundo fator',
      'Publicar relatório: Cadastrar um workspace',
      'Abrir os workspaces: Cadastrar um workspace',
    ])

    await visitor.goto('/powerbi')
    await press(page, 'Testar conexão Serviço de relatórios local')
    for (const step of ['Credencial', 'Grupos', 'Relatório', 'Token de incorporação']) {
      await page.getByText(step, { exact: true }).first().waitFor()
    }
    await page.getByText('A conexão enxerga 4 grupos.').waitFor()
    await settled(visitor, 'connection test')

    const registered = await registerWorkspace(visitor, {
      connection: ['local', 'Serviço de relatórios local'],
      group: ['populacao', 'População'],
      name: 'Diretoria',
    })
    await importReports(visitor, registered, 'Diretoria', () => settled(visitor, 'import'))

    await visitor.goto('/cadastrar-usuario')
    await page.getByLabel('Nome do usuário').fill('Clara Nunes')
    await page.getByLabel('E-mail').fill('clara@empresa.exemplo')
    await page.getByLabel('Gerar senha automaticamente').check()
    const password = await page.getByLabel('Senha', { exact: true }).inputValue()
    expect(password).toMatch(/^[0-9a-zA-JL-Z!@#$%&*]{16}$/)
    await press(page, 'Gravar')
    await dialog(page, 'Usuário cadastrado!').getByRole('button', { name: 'Fechar' }).click()
    await page.getByRole('link', { name: /permissões.*Clara Nunes/i }).click()

    await page.getByText('Selecione o grupo deste perfil: Clara Nunes').waitFor()
    await page.getByPlaceholder('Pesquisar grupo...').fill('diretoria')
    await page.getByRole('option', { name: 'Diretoria' }).click()
    await press(page, 'Buscar Relatórios')
    const boxes = page.getByRole('main').getByRole('checkbox')
    await boxes.first().waitFor()
    for (const box of await boxes.all()) await box.check()
    await expectNoSidewaysScroll(page)
    await press(page, 'Salvar')
    await page
      .getByText(/permissões (foram )?salvas/i)
      .first()
      .waitFor()
    await visitor.goto('/saidibi')
    await checklist.getByText('7 de 10 feitos').waitFor()
    const left = await checklist.getByRole('link').allTextContents()
    expect(left).toEqual(['Configurar', 'Abrir a situação', 'Abrir a situação'])
    await settled(visitor, 'most steps done')
    await visitor.close()

    const clara = await visit({ portal: portal.portal, ...looks[1] })
    await clara.goto('/')
    await clara.signIn({ email: 'clara@empresa.exemplo', password, name: 'Clara Nunes' })
    // Her password was typed by an administrator.
    await clara.page.getByRole('button', { name: 'Agora não' }).click()
    await clara.page.getByRole('main').getByRole('link').filter({ hasText: /./ }).first().waitFor()
    await clara.page.getByRole('main').locator('a[href^="/relatorio-embed/"]').first().click()
    const frame = await waitForRendered(clara.page)
    await expectDrawn(frame, 'the first report')
    await clara.close()
  })
})
