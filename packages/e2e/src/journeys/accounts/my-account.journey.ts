import { createClient, sessionsApi, usersApi } from '@bi-manager/contract'
import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { waitForRendered } from '../../browser/report-frame.ts'
import { fillNewPassword } from '../../browser/sign-in.ts'
import { type Look, looks, settled, type Visitor, visit } from '../../browser/visitor.ts'
import { dialogOf, expectTexts, press, waitUntilHidden } from '../../pages/back-office.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { createPerson } from '../../people/create-person.ts'
import { awaitMail } from '../../people/outbox.ts'
import { type Person, people } from '../../people/people.ts'

/* The own account: password, sessions, profile, and the privacy notice. */

const typedByAdmin = 'janela aberta ao sol'

const portal = inject('portal')
const dataDir = inject('dataDir')
let created = 0

/** Creates a person whose password was just set by an administrator. */
const newcomer = async (): Promise<Person> => {
  created += 1
  const person = {
    name: `Bianca Teles ${created}`,
    email: `bianca${created}@exemplo.com.br`,
    password: typedByAdmin,
  }
  const { call } = await signedInClient(portal, people.admin)
  const { name: nomeUsuario, email: emailUsuario, password: senhaUsuario } = person
  await call(usersApi.create, { body: { nomeUsuario, emailUsuario, senhaUsuario } })
  return person
}

/** Creates a person who has already declined to change the password. */
const settledPerson = async (): Promise<Person> => {
  created += 1
  return createPerson(portal, `Bianca Teles ${created}`, `bianca${created}@exemplo.com.br`)
}

const heading = (page: Page, name: string) =>
  page.getByRole('main').getByRole('heading', { name, exact: true }).waitFor()

const canSignIn = ({ email }: Person, password: string): Promise<boolean> =>
  createClient({ baseUrl: `${portal}/api` })(sessionsApi.signIn, {
    body: { username: email, password },
  }).then(
    () => true,
    () => false,
  )

const [onDesktop, onPhone] = looks

const enter = async (person: Person, look: Look): Promise<Visitor> => {
  const visitor = await visit(look)
  await visitor.enter(person, '/saidibi')
  return visitor
}

const fromPopup = async (page: Page, entry: string): Promise<void> => {
  await press(page, 'Sua conta')
  await page.getByRole('link', { name: entry, exact: true }).click()
}

describe('the own account', () => {
  test('the own account asks to replace a password set by an administrator, which may wait', {
    timeout: 120_000,
  }, async () => {
    const visitor = await visit(onPhone)
    const { page } = visitor
    const person = await newcomer()
    await visitor.goto('/telemedicina')
    await page.waitForURL((url) => url.pathname === '/')
    await visitor.signIn(person)
    await page.waitForURL('**/mudar-senha')
    await heading(page, 'Nova senha')
    await page.getByText('A sua senha foi definida por um administrador.').waitFor()
    await settled(visitor, 'asked for a new password')
    await press(page, 'Agora não')
    await page.waitForURL('**/telemedicina')
    await page.getByText('Informações do BI').waitFor()
    await visitor.close()

    const again = await enter(person, onPhone)
    await again.page.waitForURL('**/mudar-senha')
    const button = again.main.getByRole('button', { name: 'Alterar senha', exact: true })
    await again.page.getByLabel('Nova senha', { exact: true }).fill('m')
    const place = await button.boundingBox()
    await fillNewPassword(again.page, 'mesa azul janela')
    await again.page.getByText('Força da senha:').waitFor()
    // The hint appears late and must not move the button.
    expect(await button.boundingBox()).toEqual(place)
    await button.click()
    await heading(again.page, 'Senha alterada!')
    await press(again.page, 'Continuar')
    await again.page.waitForURL('**/saidibi')
    await again.close()
    const third = await enter({ ...person, password: 'mesa azul janela' }, onPhone)
    await third.page.waitForURL('**/saidibi')
    await third.close()
  })

  test('the own account changes the password by all its rules, ends other sessions and sends an e-mail', {
    timeout: 120_000,
  }, async () => {
    const person = await settledPerson()
    const elsewhere = await enter(person, onDesktop)
    elsewhere.expectComplaint(/401/)
    await elsewhere.page.waitForURL('**/saidibi')
    const visitor = await enter(person, onDesktop)
    const { page } = visitor
    visitor.expectComplaint(/422|403/)
    await fromPopup(page, 'Alterar senha')
    await heading(page, 'Nova senha')
    const button = page.getByRole('button', { name: 'Alterar senha' })
    expect(await button.isDisabled()).toBe(true)
    await fillNewPassword(page, 'curta')
    await page.getByText('Use ao menos 8 caracteres.').waitFor()
    expect(await button.isDisabled()).toBe(true)
    await fillNewPassword(page, 'cadeira verde no telhado', 'cadeira verde no telhada')
    await expectTexts(page.getByRole('main'), ['As senhas não coincidem.'])
    await page.getByText('Forte.').waitFor()
    expect(await button.isDisabled()).toBe(true)
    await settled(visitor, 'different passwords')

    await fillNewPassword(page, 'bianca2026')
    await page.getByText('Fraca.').waitFor()
    await button.click()
    await page.getByText(/A senha não pode ser o nome/).waitFor()
    await settled(visitor, 'weak password')
    expect(await page.getByLabel('Confirmar nova senha', { exact: true }).inputValue()).toBe('bianca2026')

    // Faked: the server would answer so after ten minutes, which its own tests cover.
    await page.route(
      '**/api/usuario/mudarsenha/*',
      (route) =>
        route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            type: 'about:blank',
            title: 'Entre novamente',
            status: 403,
            detail: 'Informe também a sua senha atual.',
            codigo: 'reautenticacao_necessaria',
            idRequisicao: 'jornada',
          }),
        }),
      { times: 1 },
    )
    await fillNewPassword(page, 'cadeira verde no telhado')
    await button.click()
    const current = page.getByLabel('Senha atual', { exact: true })
    await current.waitFor()
    expect(await current.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await page.getByLabel('Nova senha', { exact: true }).inputValue()).toBe('cadeira verde no telhado')
    expect(await button.isDisabled()).toBe(true)
    await settled(visitor, 'current password asked for')
    await current.fill(person.password)
    await current.press('Enter')
    await heading(page, 'Senha alterada!')
    await page.getByText('Este aparelho continua conectado.').waitFor()
    await settled(visitor, 'password changed')

    await elsewhere.page.waitForURL((url) => url.pathname === '/')
    await elsewhere.page.getByText('Sua sessão terminou.').waitFor()
    await elsewhere.close()
    expect([
      await canSignIn(person, person.password),
      await canSignIn(person, 'cadeira verde no telhado'),
    ]).toEqual([false, true])
    // The first e-mail was about the password before this one.
    const mail = await awaitMail(dataDir, person.email, 2)
    expect(mail.subject).toMatch(/senha/i)
    expect(mail.text).toContain('Bianca Teles')
    expect(mail.text).not.toContain('cadeira verde')
    await visitor.close()
  })

  test('the own account lists sessions, ends one from another browser, then all', {
    timeout: 120_000,
  }, async () => {
    const person = await settledPerson()
    const lost = await enter(person, onPhone)
    lost.expectComplaint(/401/)
    await lost.page.waitForURL('**/saidibi')
    const visitor = await enter(person, onDesktop)
    const { page } = visitor
    visitor.expectComplaint(/401/)
    await fromPopup(page, 'Meus acessos')
    await heading(page, 'Meus acessos')
    await heading(page, '2 acessos abertos')
    const first = page.getByRole('region', { name: '2 acessos abertos' }).getByRole('listitem').first()
    await first.getByText('Este aparelho', { exact: true }).waitFor()
    await page.getByText('Entrou com senha (de', { exact: false }).first().waitFor()
    await settled(visitor, 'sessions')
    await press(page, /^Encerrar Chrome/)
    await page.getByText(/^Acesso encerrado: Chrome/).waitFor()
    await heading(page, '1 acesso aberto')
    await page.getByText('Encerrou um acesso').waitFor()
    // The other window is redirected without interaction.
    await lost.page.waitForURL((url) => url.pathname === '/')
    await lost.page.getByText('Sua sessão terminou.').waitFor()

    await lost.signIn(person)
    await page.reload()
    await press(page, 'Encerrar todos')
    const dialog = dialogOf(page, 'Encerrar todos os acessos?')
    await dialog.waitFor()
    await settled(visitor, 'ending all sessions')
    await dialog.getByLabel('Encerrar também neste aparelho').check()
    await press(dialog, 'Sim, encerrar')
    await page.waitForURL((url) => url.pathname === '/')
    await lost.page.waitForURL((url) => url.pathname === '/')
    await lost.close()
    await visitor.close()
  })

  test("the own account edits the own name and the device's preferences; the e-mail is read-only", {
    timeout: 120_000,
  }, async () => {
    const visitor = await enter(await settledPerson(), onPhone)
    const { page } = visitor
    await fromPopup(page, 'Meu perfil')
    await heading(page, 'Meu perfil')
    const name = page.getByLabel('Nome', { exact: true })
    // Names are unique.
    const another = 'Bianca Teles Ramos'
    await name.fill(another)
    await settled(visitor, 'profile')
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Meus acessos/ })
      .click()
    const asked = dialogOf(page, 'Sair sem gravar?')
    await asked.waitFor()
    await settled(visitor, 'leaving the profile')
    await press(asked, 'Continuar editando')
    await waitUntilHidden(asked)
    expect(await name.inputValue()).toBe(another)
    await press(page, 'Gravar')
    await page.getByText('Nome alterado!').waitFor()
    expect(await page.getByLabel('E-mail', { exact: true }).getAttribute('readonly')).not.toBeNull()
    await page.getByText('25', { exact: true }).click()
    await page.getByText('Escuro', { exact: true }).click()
    await settled(visitor, 'profile in the dark')
    await page.reload()
    await page.getByText(another).first().waitFor()
    const scheme = await page.evaluate(() => document.documentElement.dataset.mantineColorScheme)
    expect([scheme, await page.getByRole('radio', { name: '25', exact: true }).isChecked()]).toEqual([
      'dark',
      true,
    ])
    for (const link of ['Alterar senha', 'Meus acessos', 'Segundo fator', 'Aviso de privacidade'])
      await page
        .getByRole('main')
        .getByRole('link', { name: new RegExp(`^${link}`) })
        .waitFor()
    await visitor.close()
  })

  test('the own account shows the privacy notice before and after sign-in', { timeout: 60_000 }, async () => {
    const visitor = await visit(onPhone)
    const { page } = visitor
    await visitor.goto('/')
    await page.getByRole('link', { name: 'Aviso de privacidade' }).click()
    await heading(page, 'Aviso de privacidade')
    await page.getByText('Rede Horizonte', { exact: true }).waitFor()
    await page.getByText('Cookies: nenhum.').waitFor()
    await settled(visitor, 'privacy')
    expect(await page.context().cookies()).toEqual([])
    await page.getByRole('link', { name: 'BI Manager' }).click()
    await visitor.signIn(people.ana)
    await fromPopup(page, 'Privacidade')
    await heading(page, 'Aviso de privacidade')
    await visitor.close()
  })

  test('the home page shows recent reports and the last sign-in', { timeout: 120_000 }, async () => {
    const { menu } = await signedInClient(portal, people.ana)
    const [report] = reportsOf(await menu())
    if (!report) throw new Error('Ana sees no report')
    const visitor = await enter(people.ana, onDesktop)
    const { page } = visitor
    await page.getByText(/Último acesso: hoje, às \d\d:\d\d\./).waitFor()
    await visitor.goto(report.path)
    await waitForRendered(page)
    await visitor.goto('/saidibi')
    await heading(page, 'Relatórios recentes')
    const recent = page.getByRole('region', { name: 'Relatórios recentes' })
    await waitUntilHidden(page.getByRole('status', { name: 'Carregando seus relatórios' }))
    await settled(visitor, 'home with recent reports')
    await recent.getByRole('link', { name: report.name }).click()
    await waitForRendered(page)
    await visitor.close()
  })
})
