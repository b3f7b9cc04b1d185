import { usersApi } from '@bi-manager/contract'
import { portalClient, startOidcProvider } from '@bi-manager/server/test/stand-ins/oidc-provider'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../../../scripts/machines/ports.ts'
import { signInForm } from '../../browser/sign-in.ts'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { press } from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { awaitMail } from '../../people/outbox.ts'
import { type Demo, startPortal } from '../../services/demo.ts'

const admin = { name: 'Chefe', email: 'chefe@exemplo.com.br', password: 'Uma senha de chefe 7' }

/** One portal with passwords and the provider, one with the provider only. */
let beside: Demo
let instead: Demo
let provider: Awaited<ReturnType<typeof startOidcProvider>>
beforeAll(async () => {
  const port = await freePort()
  const settings = {
    OIDC_ISSUER: `http://localhost:${port}`,
    ...portalClient,
    OIDC_NAME: 'Conta da empresa',
    ADMIN_EMAIL: admin.email,
  }
  beside = await startPortal({ ...settings, ADMIN_PASSWORD: admin.password })
  instead = await startPortal({ ...settings, PASSWORD_SIGN_IN: 'false' })
  const redirectUris = [beside, instead].map(({ portal }) => `${portal}/entrar/oidc`)
  provider = await startOidcProvider({ redirectUris, port, host: 'localhost' })
  for (const sub of ['ines', 'chefe']) {
    const email = `${sub}@exemplo.com.br`
    provider.people.set(sub, { sub, name: `Pessoa ${sub}`, email, email_verified: true })
  }
})
afterAll(async () => {
  await provider?.close()
  await beside?.stop()
  await instead?.stop()
})

const enter = (page: Page) => page.getByRole('button', { name: 'Entrar com Conta da empresa' })
const signInThere = async (page: Page, who: string) => {
  await page.getByLabel('Conta da empresa').fill(who)
  await press(page, 'Continuar')
}

const idOf = async (busca: string): Promise<number> => {
  const { call } = await signedInClient(beside.portal, admin)
  const [found] = await call(usersApi.list, { query: { busca } })
  return found?.idUsuario ?? 0
}

const approve = async (busca: string) => {
  const { call } = await signedInClient(beside.portal, admin)
  const [waiting] = await call(usersApi.list, { query: { busca, situacao: 'PENDENTE' } })
  expect(waiting?.nomeUsuario).toBe(busca)
  await call(usersApi.approve, { params: { id: waiting?.idUsuario ?? 0 }, body: { tipoUsuario: 'USER' } })
}

describe('sign-in through the provider', () => {
  test('a new person waits for approval, then reaches the page first requested', async () => {
    const visitor = await visit({ portal: beside.portal })
    const { page } = visitor
    visitor.expectComplaint(/403 \(Forbidden\)/)
    await visitor.goto('/telemedicina')
    await enter(page).waitFor()
    await signInForm(page).submit.waitFor()
    await settled(visitor, 'sign-in with a provider')
    await enter(page).click()
    await signInThere(page, 'ines')
    await page.getByRole('heading', { name: 'Conta aguardando aprovação' }).waitFor()
    await page.getByText('Sua conta aguarda a aprovação de um administrador.').waitFor()
    expect(page.url()).toBe(`${beside.portal}/entrar/oidc`)
    await settled(visitor, 'account waiting')
    await page.getByRole('link', { name: 'Voltar para a entrada' }).click()
    await enter(page).waitFor()

    await approve('Pessoa ines')
    await visitor.goto('/telemedicina')
    // The provider still has a session: it redirects back at once.
    await enter(page).click()
    await page.waitForURL(`${beside.portal}/telemedicina`)
    await page.getByText('Informações do BI').waitFor()
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(kept).not.toContain('verificador')
    expect(await page.evaluate(() => history.length)).toBeLessThan(10)
    await visitor.close()
  })

  test("the confirmation of an unverified e-mail names the provider and the account's owner", async () => {
    const [name, email] = ['Pessoa rui', 'rui@exemplo.com.br']
    provider.people.set('rui', { sub: 'rui', name, email, email_verified: false })
    const visitor = await visit({ portal: beside.portal, ...looks[1] })
    const { page } = visitor
    visitor.expectComplaint(/403 \(Forbidden\)/)
    await visitor.goto('/')
    await enter(page).click()
    await signInThere(page, 'rui')
    await page.getByRole('heading', { name: 'Conta aguardando aprovação' }).waitFor()
    const { pathname, search } = new URL((await awaitMail(beside.dataDir, email)).link ?? '')
    await visitor.goto(pathname + search)
    await page.getByText(/^A conta foi pedida em “Entrar com Conta da empresa”, com o nome/).waitFor()
    expect(await page.getByLabel(/^Senha/).count()).toBe(0)
    await settled(visitor, "confirming a provider's request")
    await press(page, 'Fui eu: confirmar meu e-mail')
    await page.getByRole('heading', { name: 'E-mail confirmado!' }).waitFor()
    await approve(name)
    await visitor.close()
  })

  test("an administrator unlinks the account, which ends the person's session", async () => {
    const person = await visit({ portal: beside.portal })
    await person.goto('/')
    await enter(person.page).click()
    await signInThere(person.page, 'ines')
    await person.page.waitForURL(`${beside.portal}/saidibi`)
    const visitor = await visit({ portal: beside.portal })
    const { page } = visitor
    await visitor.goto(`/cadastrar-usuario/${await idOf('Pessoa ines')}`)
    await visitor.signIn(admin)
    await page.getByText(/^Conta ligada desde/).waitFor()
    await settled(visitor, 'a linked account')
    await press(page, 'Desligar do provedor')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/As sessões abertas terminam na hora/).waitFor()
    await settled(visitor, 'asking before unlinking')
    await press(dialog, 'Sim, desligar')
    await press(dialog, 'Fechar')
    await page.getByText('Conta desligada do provedor.').waitFor()
    person.expectComplaint(/401 \(Unauthorized\)/)
    await person.goto('/meu-perfil')
    await enter(person.page).waitFor()
    await person.close()
    await visitor.close()
  })

  test('a person who cancels, or reloads the callback, can start again', async () => {
    const visitor = await visit({ portal: beside.portal, ...looks[1] })
    const { page } = visitor
    visitor.expectComplaint(/401 \(Unauthorized\)/)
    await visitor.goto('/')
    await enter(page).click()
    await signInThere(page, 'ninguém')
    await page.getByRole('heading', { name: 'Não foi possível entrar' }).waitFor()
    await page.getByText('O provedor de identidade não confirmou a sua entrada.').waitFor()
    expect(page.url()).toBe(`${beside.portal}/entrar/oidc`)
    await settled(visitor, 'refused')
    await page.reload()
    await page.getByRole('heading', { name: 'Esta entrada não começou aqui' }).waitFor()
    await settled(visitor, 'not begun here')
    await press(page, 'Entrar novamente')
    await signInThere(page, 'ines')
    await page.waitForURL(`${beside.portal}/saidibi`)
    await visitor.close()
  })
})

describe('sign-in without passwords', () => {
  test("sign-in without passwords shows only the provider's button, and the first administrator signs in with it", async () => {
    const visitor = await visit({ portal: instead.portal, ...looks[1] })
    const { page } = visitor
    await visitor.goto('/')
    await signInForm(page).password.waitFor({ state: 'detached' })
    await enter(page).waitFor()
    expect(await page.getByRole('link', { name: /Recuperar senha|Fazer meu cadastro/ }).count()).toBe(0)
    await settled(visitor, 'provider alone')
    await enter(page).click()
    await signInThere(page, 'chefe')
    await page.waitForURL(`${instead.portal}/saidibi`)
    await page.goto(`${instead.portal}/usuario`)
    await page.getByRole('heading', { name: 'Usuários' }).waitFor()
    await visitor.close()
  })
})
