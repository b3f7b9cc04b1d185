import { ApiProblem, secondFactorApi, securitySettingsApi, usersApi } from '@bi-manager/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Authenticator, createAuthenticator } from '../../browser/authenticator.ts'
import { signInForm } from '../../browser/sign-in.ts'
import { looks, settled, type Visitor, visit } from '../../browser/visitor.ts'
import { dialogOf, download, expectTexts, press, waitUntilHidden } from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { awaitMail } from '../../people/outbox.ts'
import { type Person, people } from '../../people/people.ts'
import { type Demo, startDemo } from '../../services/demo.ts'

let demo: Demo
/** A second administrator, who has a second factor. */
let chief: Awaited<ReturnType<typeof signedInClient>>['call']

beforeAll(async () => {
  demo = await startDemo({}, inject('demoData'))
  chief = await createChief()
})
afterAll(async () => {
  await demo.stop()
})

const createChief = async () => {
  const person = { email: 'chefe@demo.local', password: 'Girassol de inverno 58', name: 'Paulo Reis' }
  const admin = await signedInClient(demo.portal, people.admin)
  const { idUsuario } = await admin.call(usersApi.create, {
    body: { nomeUsuario: person.name, emailUsuario: person.email, senhaUsuario: person.password },
  })
  await admin.call(usersApi.update, { params: { id: idUsuario }, body: { tipoUsuario: 'ADMIN' } })
  const { call } = await signedInClient(demo.portal, person)
  const { segredo } = await call(secondFactorApi.start, { body: {} })
  const codigo = await createAuthenticator(segredo).nextCode()
  await call(secondFactorApi.confirm, { body: { codigo } })
  return call
}

const demand = (segundoFator: 'opcional' | 'administradores' | 'todos') =>
  chief(securitySettingsApi.update, { body: { segundoFator } })

const idOf = async ({ name }: Person): Promise<number> => {
  const [found] = await chief(usersApi.list, { query: { busca: name } })
  if (!found) throw new Error(`the demo has no ${name}`)
  return found.idUsuario
}

const [onDesktop, onPhone] = looks

const arrive = async (path: string, look = onDesktop) => {
  const visitor = await visit({ portal: demo.portal, ...look })
  await visitor.goto(path)
  return visitor
}

const setUp = async (visitor: Visitor) => {
  await press(visitor.page, 'Configurar segundo fator')
  return scan(visitor, { action: 'Ativar', done: 'Segundo fator ativado!' })
}

const scan = async (
  visitor: Visitor,
  { action, done }: { action: string; done: string },
): Promise<{ app: Authenticator; recoveryCodes: string[] }> => {
  const { page } = visitor
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  await settled(visitor, 'scanning')
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
  const app = createAuthenticator(secret)
  // With touch, the authenticator app is assumed to be on this device.
  const open = page.getByRole('link', { name: 'Abrir no aplicativo autenticador' })
  if (await page.evaluate(() => matchMedia('(pointer: coarse)').matches))
    expect(await open.getAttribute('href')).toMatch(new RegExp(`^otpauth://totp/.*secret=${secret}&`))
  else expect(await open.count()).toBe(0)
  await page.getByLabel('Código de 6 dígitos').fill(await app.nextCode())
  await press(page, action)
  await page.getByRole('heading', { name: done }).waitFor()
  await settled(visitor, 'recovery codes')
  return { app, recoveryCodes: await listedCodes(page) }
}

const listedCodes = async (page: Page): Promise<string[]> => {
  const items = page.getByRole('list', { name: 'Códigos de recuperação' }).getByRole('listitem')
  const codes = await items.allInnerTexts()
  expect(codes).toHaveLength(10)
  // Each code fits on one line.
  const heights = await items.evaluateAll((all) => all.map((item) => item.clientHeight))
  expect(Math.max(...heights)).toBeLessThan(30)
  return codes
}

const finish = async ({ page }: Visitor) => {
  expect(await page.getByRole('button', { name: 'Concluir' }).isDisabled()).toBe(true)
  await page.getByLabel('Guardei os códigos').check()
  await press(page, 'Concluir')
}

/** A click on the brand must not lose codes that the person has not confirmed to have kept. */
const askedBeforeLeaving = async (visitor: Visitor, codes: string[]) => {
  const { page } = visitor
  await page.getByRole('link', { name: 'BI Manager' }).click()
  const dialog = dialogOf(page, 'Sair sem guardar os códigos?')
  await dialog.waitFor()
  await settled(visitor, 'asking before the codes are lost')
  await press(dialog, 'Continuar aqui')
  await waitUntilHidden(dialog)
  expect(await listedCodes(page)).toEqual(codes)
}

/** Neither must Back, where it leaves the portal: the browser asks. */
const askedByTheBrowser = async ({ page }: Visitor, codes: string[]) => {
  const asked = page.waitForEvent('dialog')
  void page.goBack({ timeout: 1_000 }).catch(() => undefined)
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  expect(await listedCodes(page)).toEqual(codes)
}

/** Sets up a second factor on the desktop, and once more on the phone. */
const person = people.ana

describe('a second factor', () => {
  test('a second factor is set up and asked for at the next sign-in, and each code works once', async () => {
    const visitor = await arrive('/segundo-fator')
    const { page } = visitor
    await visitor.signIn(person)
    await page.getByRole('heading', { name: 'Desativado' }).waitFor()
    await settled(visitor, 'no second factor')
    const { app, recoveryCodes } = await setUp(visitor)
    const { bytes } = await download(page, 'Baixar')
    await askedBeforeLeaving(visitor, recoveryCodes)
    const file = bytes.toString()
    expect(file).toContain(person.email)
    for (const code of recoveryCodes) expect(file).toContain(code)
    await finish(visitor)
    await expectTexts(page.getByRole('main'), ['Ativo', '10 de 10 ainda não usados'])
    await settled(visitor, 'an active second factor')
    await visitor.close()

    const next = await arrive('/segundo-fator')
    next.expectComplaint(/401/)
    await signInForm(next.page).send(person)
    const code = await app.nextCode()
    await next.page.getByLabel('Código de 6 dígitos').waitFor()
    await settled(next, 'the code')
    await next.page.getByLabel('Código de 6 dígitos').fill(` ${code.slice(0, 3)} ${code.slice(3)}`)
    await press(next.page, 'Confirmar')
    // Continues to the page first requested.
    await next.page.getByRole('heading', { name: 'Ativo', exact: true }).waitFor()
    await next.close()

    const last = await arrive('/')
    last.expectComplaint(/401/)
    await signInForm(last.page).send(person)
    await last.page.getByLabel('Código de 6 dígitos').fill(code)
    await press(last.page, 'Confirmar')
    await expectTexts(last.page.getByRole('alert'), [
      'Este código não confere ou já foi usado. Aguarde o próximo e tente novamente.',
    ])
    await settled(last, 'a used code')
    await press(last.page, 'Usar um código de recuperação')
    await last.page.getByLabel('Código de recuperação').fill(recoveryCodes[0] ?? '')
    await press(last.page, 'Confirmar')
    await last.page.waitForURL(/saidibi/)
    const spent = await arrive('/')
    spent.expectComplaint(/401/)
    await signInForm(spent.page).send(person)
    await press(spent.page, 'Usar um código de recuperação')
    await spent.page.getByLabel('Código de recuperação').fill(recoveryCodes[0] ?? '')
    await press(spent.page, 'Confirmar')
    await expectTexts(spent.page.getByRole('alert'), [
      'Este código de recuperação não confere ou já foi usado. Cada um vale uma única vez: use outro da sua lista.',
    ])
    await settled(spent, 'a used recovery code')
    await spent.close()
    await last.goto('/segundo-fator')
    await last.page.getByText('9 de 10 ainda não usados').waitFor()
    await press(last.page, 'Gerar códigos novos')
    const dialog = dialogOf(last.page, 'Gerar códigos novos?')
    last.expectComplaint(/422/)
    await dialog.getByRole('textbox').fill(recoveryCodes[0] ?? '')
    await press(dialog, 'Gerar códigos')
    await dialog.getByText(/^Este código de recuperação não confere/).waitFor()
    await settled(last, 'asking for new codes')
    await dialog.getByRole('textbox').fill(recoveryCodes[1] ?? '')
    await press(dialog, 'Gerar códigos')
    await last.page.getByRole('heading', { name: 'Códigos novos', exact: true }).waitFor()
    expect(await listedCodes(last.page)).not.toContain(recoveryCodes[2])
    await last.close()
  })

  test('a second factor is reset by another administrator, after which the password suffices', async () => {
    const lost = await arrive('/saidibi')
    lost.expectComplaint(/401/)
    const admin = await arrive(`/usuario?busca=${encodeURIComponent(person.name)}`)
    await admin.signIn(people.admin)
    const { page } = admin
    await page.getByText('2 fatores').waitFor()
    await press(page, `Redefinir segundo fator de ${person.name}`)
    await settled(admin, 'asking before a reset')
    await press(page.getByRole('dialog'), 'Sim, redefinir')
    await dialogOf(page, 'Segundo fator redefinido!').waitFor()
    await page.getByText(/Até ela configurar outro aparelho, a senha basta/).waitFor()
    await settled(admin, 'a second factor reset')
    await press(page.getByRole('dialog'), 'Fechar')
    await waitUntilHidden(page.getByText('2 fatores'))
    await admin.close()
    await lost.signIn(person)
    await lost.page.getByRole('button', { name: 'Sua conta' }).waitFor()
    await lost.close()
  })
})

test("the account's owner removes a second factor set up by a stranger, through the e-mail", async () => {
  const owner = { email: 'dono@demo.local', password: 'Jabuticaba de outono 63', name: 'Davi Nogueira' }
  await chief(usersApi.create, {
    body: { nomeUsuario: owner.name, emailUsuario: owner.email, senhaUsuario: owner.password },
  })
  const { call } = await signedInClient(demo.portal, owner)
  const { segredo } = await call(secondFactorApi.start, { body: {} })
  await call(secondFactorApi.confirm, { body: { codigo: await createAuthenticator(segredo).nextCode() } })
  const { link } = await awaitMail(demo.dataDir, owner.email)
  if (!link) throw new Error('the e-mail carries no link')
  const visitor = await arrive(link.slice(demo.portal.length))
  const { page } = visitor
  await page.getByRole('heading', { name: 'Retirar o segundo fator' }).waitFor()
  await expectTexts(page.getByRole('main'), [owner.email])
  await settled(visitor, 'removing a second factor')
  await press(page, 'Retirar e encerrar as sessões')
  await page.getByRole('heading', { name: 'Segundo fator retirado' }).waitFor()
  await settled(visitor, 'a second factor removed')
  await visitor.close()
  await expect(call(secondFactorApi.status)).rejects.toMatchObject({ status: 401 })
  await signedInClient(demo.portal, owner)
})

test('a form keeps its input when a second factor is demanded while it is open', async () => {
  const visitor = await arrive('/Registerworkspace')
  const { page } = visitor
  visitor.expectComplaint(/403/)
  await visitor.signIn(people.admin)
  await page.getByLabel('Nome do Workspace').fill('Ainda não gravado')
  await demand('administradores')
  // The open window is redirected without interaction.
  await page.getByText('Falta só isto para continuar').waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)
  await setUp(visitor)
  await finish(visitor)
  await page.waitForURL(/Registerworkspace/)
  expect(await page.getByLabel('Nome do Workspace').inputValue()).toBe('Ainda não gravado')
  await page.getByText(/^Recuperamos o que você tinha digitado/).waitFor()
  await settled(visitor, 'a form brought back')
  await demand('opcional')
  await chief(secondFactorApi.reset, { params: { id: await idOf(people.admin) } })
  await visitor.close()
})

describe('a second factor required of everyone', () => {
  test('the administrator must set up their own before saving the policy', async () => {
    const visitor = await arrive('/seguranca')
    const { page } = visitor
    await visitor.signIn(people.admin)
    await page.getByLabel('Exigido de todos').check()
    await page.getByText(/Configure o seu primeiro/).waitFor()
    expect(await page.getByRole('button', { name: 'Gravar' }).isDisabled()).toBe(true)
    await settled(visitor, 'the rules')
    await page.getByRole('link', { name: 'Configurar o meu' }).click()
    await setUp(visitor)
    await finish(visitor)
    await page.waitForURL(/seguranca/)
    await page.getByText(/^Recuperamos o que você tinha escolhido/).waitFor()
    expect(await page.getByLabel('Exigido de todos').isChecked()).toBe(true)
    await settled(visitor, 'the choice brought back')
    // Another administrator changes the policy first.
    await demand('administradores')
    visitor.expectComplaint(/412/)
    await press(page, 'Gravar')
    await page.getByText(/Paulo Reis alterou Segundo fator.*Exigido de administradores/).waitFor()
    await press(page, 'Gravar')
    await page.getByText('Regras gravadas!').waitFor()
    await settled(visitor, 'the rules saved')
    await visitor.close()
  })

  test('a person without one must set it up, and then reaches the requested page, on the phone', async () => {
    const visitor = await arrive('/analise', onPhone)
    const { page } = visitor
    await visitor.signIn(person)
    await page.waitForURL(/segundo-fator/)
    await page.getByText('Falta só isto para continuar').waitFor()
    await page.getByRole('heading', { name: 'Como funciona' }).waitFor()
    expect(await page.getByText('A senha sozinha basta').count()).toBe(0)
    await settled(visitor, 'a demanded second factor')
    // No other page opens, by address either.
    await visitor.goto('/saidibi')
    await page.getByText('Falta só isto para continuar').waitFor()
    await press(page, 'Sair')
    await signInForm(page).username.waitFor()
    await visitor.goto('/analise')
    await visitor.signIn(person)
    const { app, recoveryCodes } = await setUp(visitor)
    await askedByTheBrowser(visitor, recoveryCodes)
    await finish(visitor)
    await page.waitForURL(/analise/)
    await page.getByRole('heading', { name: 'Análise de entregas' }).waitFor()
    await visitor.goto('/segundo-fator')
    await page.getByText(/exigem o segundo fator de você/).waitFor()
    expect(await page.getByRole('button', { name: 'Desativar' }).count()).toBe(0)

    // A second phone replaces this one, which works until then.
    await press(page, 'Trocar de aparelho')
    const dialog = dialogOf(page, 'Trocar de aparelho')
    await dialog.getByRole('textbox').fill('000 000')
    visitor.expectComplaint(/422/)
    await press(dialog, 'Continuar')
    await dialog.getByText(/^Este código não confere/).waitFor()
    await settled(visitor, 'asking for a code of the device in force')
    await dialog.getByRole('textbox').fill(await app.nextCode())
    await press(dialog, 'Continuar')
    await page.getByRole('heading', { name: 'Ligue o novo aparelho' }).waitFor()
    const next = await scan(visitor, { action: 'Trocar', done: 'Aparelho trocado!' })
    await finish(visitor)
    await page.getByText('10 de 10 ainda não usados').waitFor()
    await visitor.close()
    const again = await arrive('/')
    again.expectComplaint(/401/)
    await signInForm(again.page).send(person)
    await again.page.getByLabel('Código de 6 dígitos').fill(await next.app.nextCode())
    await press(again.page, 'Confirmar')
    await again.page.waitForURL(/saidibi/)
    await again.close()
    const subjects = [
      'Segundo fator ativado',
      'Códigos de recuperação trocados',
      'Segundo fator redefinido',
      'Segundo fator ativado',
      'Aparelho do segundo fator trocado',
    ]
    for (const [index, subject] of subjects.entries()) {
      const mail = await awaitMail(demo.dataDir, person.email, index + 1)
      expect(mail.subject).toBe(`${subject} na sua conta no BI Manager`)
    }
  })

  test('a program cannot sign in with the password only', async () => {
    const refused = await signedInClient(demo.portal, people.ana).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiProblem)
    expect((refused as ApiProblem).codigo).toBe('segundo_fator_necessario')
  })
})
