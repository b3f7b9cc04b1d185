import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectReadable,
  looks,
  settled,
  visit,
} from '../../browser/visitor.ts'
import { goWithin } from '../../browser/within-portal.ts'
import { dialogOf, press, waitUntilHidden } from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')

const adminScreens = [
  ['/powerbi', 'Powerbis'],
  ['/Registerpowerbi', 'Cadastrar Powerbi'],
  ['/workspace', 'Workspace'],
  ['/Registerworkspace', 'Cadastrar Workspace'],
  ['/relatorio', 'Relatórios'],
  ['/RegisterworkspaceRelatorios', 'Cadastrar relatório'],
  ['/usuario', 'Usuários'],
  ['/cadastrar-usuario', 'Cadastrar usuário'],
  ['/editrelatorio/1', 'Usuário'],
  ['/searchRelatorio', 'Permissões por usuário'],
  ['/permissao-relatorio', 'Permissões por perfil'],
] as const
const dashboards = [
  ['/analise', 'Análise de entregas'],
  ['/corporacoes', 'Comparativo de exames'],
  ['/painel', 'Painel de absenteísmo'],
  ['/senhas-liberadas', 'Senhas liberadas'],
  ['/telemedicina', 'Telemedicina'],
  ['/perfil', 'Perfil populacional'],
] as const

test.each(looks)(
  'home greets, lists the reports, and no page without a report, on the $size',
  async (look) => {
    const visitor = await visit(look)
    const { page } = visitor
    await visitor.goto('/')
    await visitor.signIn(people.ana)
    await page.getByRole('heading', { name: /Ana/ }).waitFor()
    const [workspace] = await (await signedInClient(portal, people.ana)).menu()
    await page
      .getByRole('main')
      .getByText(workspace?.workspace ?? '')
      .first()
      .waitFor()
    // No page of BI Saúde has a report in the demo.
    expect(await page.getByText('BI Saúde').count()).toBe(0)
    await expectReadable(page, `home on the ${look.size}`)
    await visitor.close()
  },
)

test('every screen of the specification has its page, and placeholders their title and text', {
  timeout: 240_000,
}, async () => {
  const visitor = await visit()
  const { page } = visitor
  // The forms would ask before they are left; the test navigates past them.
  visitor.expectComplaint(/use a blocker on a POP navigation/)
  await visitor.enter(people.admin, '/saidibi')
  await page.getByRole('main').getByRole('heading').first().waitFor()
  // An ADMIN may bind a report to them.
  const unbound = page.getByRole('region', { name: 'BI Saúde' }).getByRole('group')
  await unbound.getByText('Páginas sem relatório (6)').click()
  expect(await unbound.getByRole('link').allTextContents()).toEqual(dashboards.map(([, title]) => title))
  await settled(visitor, 'home with the pages without a report')
  for (const [path, title] of dashboards) {
    await goWithin(page, path)
    await page.getByRole('heading', { name: title, exact: true }).waitFor()
    await page.getByText('Informações do BI').waitFor()
    await settled(visitor, path)
  }
  for (const [path, heading] of adminScreens) {
    await goWithin(page, path)
    await page.getByRole('main').getByRole('heading', { name: heading, exact: true }).first().waitFor()
    expect(new URL(page.url()).pathname).toBe(path)
    await settled(visitor, path)
  }
  await goWithin(page, '/mudar-senha')
  await page.getByRole('main').getByRole('heading', { name: 'Nova senha', exact: true }).waitFor()
  await settled(visitor, '/mudar-senha')
  await visitor.close()
})

test.each(looks)(
  'Ctrl+K finds reports, screens, people and actions, ? the shortcuts, on the $size',
  {
    timeout: 90_000,
  },
  async (look) => {
    const visitor = await visit(look)
    const { page } = visitor
    await visitor.enter(people.admin, '/saidibi')
    await page.getByRole('main').getByRole('heading').first().waitFor()
    const field = page.getByRole('combobox', { name: 'Buscar relatório, tela, pessoa ou ação' })
    const ask = async (text: string, option: string | RegExp) => {
      await page.keyboard.press('Control+k')
      await field.fill(text)
      await page.getByRole('option', { name: option }).first().waitFor()
    }
    await ask('helena', /^Helena Duarte/)
    await settled(visitor, 'quick search')
    await page.keyboard.press('Escape')
    await waitUntilHidden(field)
    await ask('sistema situacao', /^Situação do sistema/)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/situacao')
    await page.keyboard.press('Shift+?')
    const shortcuts = dialogOf(page, 'Atalhos do teclado')
    await shortcuts.getByText('Fechar o que está aberto sobre a página').waitFor()
    // This page has no search.
    expect(await shortcuts.getByText('Buscar na página').count()).toBe(0)
    await settled(visitor, 'shortcuts')
    await press(shortcuts, 'Fechar')
    await waitUntilHidden(shortcuts)
    // The button does the same; the report's workspace counts too.
    await page.getByRole('button', { name: 'Busca rápida' }).click()
    await field.fill('financeiro operadora')
    await page.getByRole('option', { name: /^Custo por operadora/ }).click()
    await page.waitForURL(/relatorio-embed/)
    if (look.size === 'desktop') {
      // A report has no search: '/' leads to that of the menu.
      const search = page.getByLabel('Buscar relatório', { exact: true })
      await expect
        .poll(async () => {
          await page.keyboard.press('/')
          return search.evaluate((element) => element === document.activeElement)
        })
        .toBe(true)
    }
    // Actions: one opens a dialog of another page, one a dialog of the shell.
    await ask('pessoa convidar', 'Convidar pessoa')
    await page.keyboard.press('Enter')
    const invitation = dialogOf(page, 'Convidar')
    await invitation.getByLabel('Nome do usuário').waitFor()
    expect(page.url()).toBe(`${portal}/usuario`)
    await press(invitation, 'Cancelar')
    await waitUntilHidden(invitation)
    await ask('sair', 'Sair')
    await page.keyboard.press('Enter')
    const leaving = dialogOf(page, 'Deseja mesmo deslogar?')
    await press(leaving, 'Não, cancelar')
    await waitUntilHidden(leaving)
    await ask('criar workspace', 'Cadastrar Workspace')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/Registerworkspace')
    await visitor.close()
  },
)

test('signing out asks, shows a message for 4 seconds and leads to the root', {
  timeout: 60_000,
}, async () => {
  const visitor = await visit()
  const { page } = visitor
  await visitor.enter(people.ana, '/saidibi')
  const token = await page.evaluate(
    () => JSON.parse(localStorage.getItem('bi-manager.sessao') ?? '{}').access_token,
  )
  const dialog = await askToLeave(page)
  await settled(visitor, 'sign-out dialog')
  await press(dialog, 'Sim, deslogar')
  const started = Date.now()
  await page.getByText('Deslogando...').waitFor()
  await page.waitForURL((url) => url.pathname === '/')
  expect(Date.now() - started).toBeGreaterThan(3500)
  const answer = await fetch(`${portal}/api/usuarios/menus`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.status).toBe(401)
  await visitor.close()
})

const askToLeave = async (page: Page) => {
  await page
    .getByRole('button', { name: /usuário|conta|Ana Martins/i })
    .last()
    .click()
  await page.getByText('Sair', { exact: true }).last().click()
  const dialog = dialogOf(page, 'Deseja mesmo deslogar?')
  await dialog.getByRole('button', { name: 'Não, cancelar' }).waitFor()
  return dialog
}

describe('menus by role', () => {
  test('an ADMIN has the gear with four accordions; a USER has neither gear nor admin pages', async () => {
    const admin = await visit()
    await admin.enter(people.admin, '/saidibi')
    await press(admin.page, /configurações/i)
    for (const [section, first] of [
      ['Powerbi', 'Listar'],
      ['Workspaces', 'Listar'],
      ['Relatórios', 'Listar'],
      ['Usuários', 'Buscar'],
    ] as const) {
      await admin.page.getByRole('button', { name: section, exact: true }).last().click()
      await admin.page
        .getByRole('link', { name: first })
        .or(admin.page.getByRole('menuitem', { name: first }))
        .first()
        .waitFor()
    }
    await settled(admin, 'gear')
    await admin.close()

    const user = await visit()
    await user.enter(people.ana, '/saidibi')
    await user.page.getByRole('heading', { name: /Ana/ }).waitFor()
    expect(await user.page.getByRole('button', { name: /configurações/i }).count()).toBe(0)
    await goWithin(user.page, '/usuario')
    await user.page
      .getByText(/permissão/i)
      .first()
      .waitFor()
    await settled(user, 'forbidden')
    await user.close()
  })

  test('the phone menu shows four sections to an ADMIN, only reports to a USER, and closes with ×', async () => {
    for (const [person, isAdmin] of [
      [people.admin, true],
      [people.ana, false],
    ] as const) {
      const visitor = await visit(looks[1])
      const { page } = visitor
      await visitor.enter(person, '/saidibi')
      if (isAdmin) await page.getByRole('heading', { name: 'Administração' }).waitFor()
      await press(page, /abrir menu/i)
      const menu = page.getByRole('dialog')
      await menu.getByText('Relatórios Gerenciais').waitFor()
      await page.waitForTimeout(400)
      for (const section of ['Powerbis', 'Workspaces', 'Usuários']) {
        expect(await menu.getByText(section, { exact: true }).count(), section).toBe(isAdmin ? 1 : 0)
      }
      await expectAccessible(page, 'phone menu')
      await press(menu, 'Fechar menu')
      await menu.waitFor({ state: 'hidden' })
      if (!isAdmin) {
        const dialog = await askToLeave(page)
        await press(dialog, 'Não, cancelar')
        await dialog.waitFor({ state: 'hidden' })
      }
      await visitor.close()
    }
  })

  test('one accordion is open at a time, and the active workspace and report are marked', async () => {
    const visitor = await visit()
    const { page } = visitor
    await visitor.enter(people.admin, '/saidibi')
    const nav = page.getByRole('navigation', { name: 'Relatórios Gerenciais' })
    const [first, second] = await (await signedInClient(portal, people.admin)).menu()
    const openOf = (name = '') => nav.getByRole('button', { name }).getAttribute('aria-expanded')
    await nav.getByRole('button', { name: first?.workspace ?? '' }).click()
    expect([await openOf(first?.workspace), await openOf(second?.workspace)]).toEqual(['true', 'false'])
    await nav.getByRole('button', { name: second?.workspace ?? '' }).click()
    expect([await openOf(first?.workspace), await openOf(second?.workspace)]).toEqual(['false', 'true'])
    const report = second?.relatorios[0]?.nome ?? ''
    await nav.getByRole('link', { name: report }).click()
    await page.locator('[data-state="renderizado"]').waitFor({ timeout: 40_000 })
    expect(await nav.getByRole('link', { name: report }).getAttribute('aria-current')).toBe('page')
    await visitor.close()
  })
})

test.each(looks)('the frame of the page is there before its code, on the $size', async (look) => {
  const visitor = await visit(look)
  const { page } = visitor
  await visitor.enter(people.ana, '/saidibi')
  await page.getByRole('heading', { name: /Ana/ }).waitFor()
  const frame = page.locator('#forma')
  expect(await frame.isVisible()).toBe(false)
  // The code arrives late; the frame does not wait for it.
  const arrival = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await arrival.promise
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await frame.waitFor()
  expect(await frame.locator('.forma-menu').isVisible()).toBe(look.size === 'desktop')
  await expectNoSidewaysScroll(page)
  arrival.resolve()
  await page.getByRole('heading', { name: /Ana/ }).waitFor()
  expect(await frame.isVisible()).toBe(false)
  await visitor.close()
})

test('home says once that the server fails, and retries all that failed', async () => {
  const visitor = await visit()
  const { page, main } = visitor
  await visitor.enter(people.ana, '/saidibi')
  await main.getByRole('heading', { name: /Ana/ }).waitFor()
  visitor.expectComplaint(/500|Failed to load resource/)
  const sentence = /respondeu de forma inesperada/
  const failing = /\/api\/(usuarios\/(menus|favoritos)|login\/usuario-atividade|paginas)/
  await page.route(failing, (route) => route.fulfill({ status: 500, body: '' }))
  await page.reload()
  await main.getByText(sentence).waitFor({ timeout: 60_000 })
  await expect.poll(() => main.getByText('Não carregou.').count(), { timeout: 60_000 }).toBeGreaterThan(0)
  expect(await main.getByText(sentence).count()).toBe(1)
  await page.unroute(failing)
  await main.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect.poll(() => main.getByText(/respondeu de forma inesperada|Não carregou/).count()).toBe(0)
  await visitor.close()
})
