import {
  accountsApi,
  createClient,
  profilesApi,
  reportRegistrationsApi,
  usersApi,
} from '@bi-manager/contract'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { fillNewPassword, signInForm } from '../../browser/sign-in.ts'
import { looks, settled, type Visitor, visit } from '../../browser/visitor.ts'
import {
  administrator,
  choose,
  dialogOf,
  expectTexts,
  press,
  waitUntilHidden,
} from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { awaitMail, type ReceivedMail } from '../../people/outbox.ts'
import { people } from '../../people/people.ts'

/* Sign-up and approval, invitation, recovery; each e-mail is read. */

const profileName = 'Diretoria clínica'
const phrase = 'cavalos no telhado do moinho'

const portal = inject('portal')
const dataDir = inject('dataDir')
beforeAll(async () => {
  const { call } = await signedInClient(portal, people.admin)
  const { idPerfil } = await call(profilesApi.create, { body: { nomePerfil: profileName } })
  const [report] = await call(reportRegistrationsApi.list)
  if (!report) throw new Error('the demo has no report')
  const { idRelatorio } = report
  await call(profilesApi.replaceReports, { params: { id: idPerfil }, body: { idRelatorios: [idRelatorio] } })
})

const heading = (page: Page, name: string) =>
  page.getByRole('main').getByRole('heading', { name, exact: true }).waitFor()

const fill = async (page: Page, values: Record<string, string>): Promise<void> => {
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value)
}

/** Opens the link of an e-mail and waits until the token is removed from the address. */
const follow = async ({ page, goto }: Visitor, { link = '' }: ReceivedMail): Promise<void> => {
  const { pathname, search, origin } = new URL(link)
  expect([origin, search]).toEqual([portal, expect.stringMatching(/^\?token=[\w-]{43}$/)])
  await goto(pathname + search)
  await page.waitForFunction(() => window.location.search === '')
}

/** Checks what all messages of the portal have in common. */
const expectMail = (mail: ReceivedMail, subject: string): void => {
  expect(mail.subject).toBe(subject)
  expect(mail.html).toContain('BI Manager')
  if (mail.link) expect(mail.html).toContain(mail.link)
}

describe('an account', () => {
  const [onDesktop, onPhone] = looks
  const visitor = (look = onDesktop) => visit(look)

  test('an account signs up, is confirmed and approved with a profile, and can sign in', {
    timeout: 180_000,
  }, async () => {
    const newcomer = {
      name: 'Beatriz Nogueira',
      email: 'beatriz@exemplo.com.br',
      password: phrase,
    }
    const outside = await visitor()
    const { page } = outside
    await outside.goto('/')
    await page.getByRole('link', { name: 'Fazer meu cadastro' }).click()
    await heading(page, 'Cadastrar conta')
    await expectTexts(page.getByRole('main'), ['Nome Completo', 'E-mail', 'Senha', 'Confirmar senha'])
    const finish = page.getByRole('button', { name: 'Finalizar cadastro' })
    await settled(outside, 'empty sign-up')
    await fill(page, { 'Nome Completo': newcomer.name, 'E-mail': 'beatriz', Senha: phrase })
    expect(await finish.isDisabled()).toBe(true)
    await fill(page, { 'Confirmar senha': 'outra frase' })
    await finish.click()
    await expectTexts(page.getByRole('main'), ['Informe um e-mail válido.', 'As senhas não coincidem.'])
    await page.getByText('Força da senha:').waitFor()
    await settled(outside, 'sign-up with faults')
    await fill(page, { 'E-mail': newcomer.email, 'Confirmar senha': phrase })
    await finish.click()
    await heading(page, 'Pedido enviado!')
    await settled(outside, 'sign-up sent')

    await page.getByRole('link', { name: 'Voltar para a entrada' }).click()
    outside.expectComplaint(/401/)
    await signInForm(page).send(newcomer)
    await page.getByText('Atenção! Usuário ou senha, incorretos, tente novamente.').waitFor()

    const admin = await administrator('/saidibi')
    const bell = admin.page.getByRole('button', { name: /^Notificações, \d+ não lidas?$/ })
    await bell.click()
    await admin.page.getByText(`${newcomer.name} (${newcomer.email}) pediu uma conta.`).click()
    await admin.page.waitForURL('**/usuario?situacao=PENDENTE')
    const main = admin.main
    await main.getByText(newcomer.email).waitFor()
    expect(await main.getByRole('button', { name: /^Pendentes/ }).getAttribute('aria-pressed')).toBe('true')
    await main.getByRole('table').getByText('E-mail não confirmado').waitFor()
    await settled(admin, 'pending accounts')
    await press(main, `Convidar ${newcomer.name}`)
    const invitation = dialogOf(admin.page, 'Convidar pessoa')
    await invitation.getByText(/por isso ela não pode ser aprovada/).waitFor()
    await settled(admin, 'unconfirmed account')
    expect(await invitation.getByRole('button', { name: 'Aprovar', exact: true }).count()).toBe(0)
    await press(invitation, 'Cancelar')

    const request = await awaitMail(dataDir, newcomer.email)
    expectMail(request, 'Confirme seu e-mail no BI Manager')
    await follow(outside, request)
    await heading(page, 'Confirmar e-mail')
    await page.getByText(`${newcomer.name} pediu uma conta`).waitFor()
    await settled(outside, 'confirming an e-mail')
    outside.expectComplaint(/422/)
    await fill(page, { 'Senha que você escolheu no cadastro': `${phrase} antigo` })
    await press(page, 'Fui eu: confirmar meu e-mail')
    await page.getByText(/^Esta não é a senha deste pedido\./).waitFor()
    await settled(outside, 'confirming an e-mail with a wrong password')
    await fill(page, { 'Senha que você escolheu no cadastro': phrase })
    await press(page, 'Fui eu: confirmar meu e-mail')
    await heading(page, 'E-mail confirmado!')
    await settled(outside, 'e-mail confirmed')

    await admin.page.reload()
    await main.getByText(newcomer.email).waitFor()
    expect(await main.getByRole('table').getByText('E-mail não confirmado').count()).toBe(0)
    await press(main, `Aprovar ${newcomer.name}`)
    const dialog = dialogOf(admin.page, 'Aprovar conta')
    await choose(admin.page, 'Perfis', profileName)
    await dialog.getByRole('list', { name: 'Perfis escolhidos' }).getByText(profileName).waitFor()
    await settled(admin, 'approving')
    await press(dialog, 'Aprovar')
    const approved = dialogOf(admin.page, 'Conta aprovada!')
    await approved.waitFor()
    // The list behind the dialog is refetched, and dimmed until then.
    await waitUntilHidden(main.getByText(newcomer.email))
    await settled(admin, 'approved')
    await press(approved, 'Fechar')
    await admin.close()

    const mail = await awaitMail(dataDir, newcomer.email, 2)
    expectMail(mail, 'Sua conta no BI Manager foi aprovada')
    await outside.goto(new URL(mail.link ?? '').pathname)
    await outside.signIn(newcomer)
    const { menu } = await signedInClient(portal, newcomer)
    expect((await menu()).flatMap(({ relatorios }) => relatorios)).toHaveLength(1)
    await outside.close()
  })

  test('a refusal deletes the request and notifies the person by e-mail', async () => {
    const [name, email] = ['Caio Prado', 'caio@exemplo.com.br']
    const anybody = createClient({ baseUrl: `${portal}/api` })
    await anybody(accountsApi.signUp, { body: { nome: name, email, password: phrase } })
    const admin = await administrator('/usuario?situacao=PENDENTE')
    await press(admin.main, `Recusar ${name}`)
    const dialog = admin.page.getByRole('dialog')
    await settled(admin, 'refusing')
    await press(dialog, 'Sim, recusar')
    await dialog.getByRole('heading', { name: 'Pedido recusado!' }).waitFor()
    await dialog.getByText(/este portal não envia e-mails/).waitFor()
    await settled(admin, 'refused')
    await press(dialog, 'Fechar')
    await waitUntilHidden(admin.page.getByText(email))
    await admin.page.getByText('Nenhuma conta pendente.').waitFor()
    await settled(admin, 'no account waits')
    expectMail(await awaitMail(dataDir, email, 2), 'Seu pedido de conta no BI Manager')
    await admin.close()
  })

  test("inviting an unconfirmed account lets the mailbox's owner set the password", {
    timeout: 180_000,
  }, async () => {
    const owner = { name: 'Fábio Dutra', email: 'fabio@exemplo.com.br', password: `${phrase} verde` }
    const anybody = createClient({ baseUrl: `${portal}/api` })
    await anybody(accountsApi.signUp, { body: { nome: owner.name, email: owner.email, password: phrase } })
    const admin = await administrator('/usuario?situacao=PENDENTE')
    await press(admin.main, `Convidar ${owner.name}`)
    await press(dialogOf(admin.page, 'Convidar pessoa'), 'Criar convite')
    const invited = dialogOf(admin.page, 'Convite criado, não enviado')
    await invited.waitFor()
    await settled(admin, 'unconfirmed account invited')
    await press(invited, 'Fechar')
    await admin.goto(`/usuario?busca=${encodeURIComponent(owner.name)}`)
    await expectTexts(admin.main, ['Convite pendente', 'E-mail não confirmado'])
    await settled(admin, 'unconfirmed account in the list')
    const { call } = await signedInClient(portal, people.admin)
    const find = async () => (await call(usersApi.list, { query: { busca: owner.name } }))[0]
    const secured = (await call(reportRegistrationsApi.list)).find(({ papeisRls }) => papeisRls.length > 0)
    const id = (await find())?.idUsuario
    await admin.goto(`/cadastrar-usuario/${id}`)
    await admin.page.getByRole('heading', { name: 'E-mail não confirmado' }).waitFor()
    await settled(admin, 'unconfirmed account edited')
    await admin.goto(`/permissoes/porque?usuario=${id}&relatorio=${secured?.idRelatorio}`)
    await admin.page.getByText(/^O e-mail da pessoa não está confirmado/).waitFor()
    await settled(admin, 'unconfirmed account explained')
    await admin.close()

    const outside = await visitor(onPhone)
    const { page } = outside
    outside.expectComplaint(/400/)
    await follow(outside, await awaitMail(dataDir, owner.email))
    await heading(page, 'Este link não vale mais')
    const mail = await awaitMail(dataDir, owner.email, 2)
    expectMail(mail, 'Seu convite para o BI Manager')
    await follow(outside, mail)
    await heading(page, `Olá, ${owner.name}!`)
    await fill(page, { Senha: owner.password, 'Confirmar senha': owner.password })
    await press(page, 'Definir senha')
    await heading(page, 'Senha definida!')
    await outside.goto('/')
    await outside.signIn(owner)
    await outside.close()
    expect(await find()).toMatchObject({ emailComprovado: true, situacao: 'ATIVO' })
  })

  test('“Não fui eu” discards a request made by another person', async () => {
    const email = 'gilda@exemplo.com.br'
    const anybody = createClient({ baseUrl: `${portal}/api` })
    await anybody(accountsApi.signUp, { body: { nome: 'Outra Pessoa', email, password: phrase } })
    const outside = await visitor(onPhone)
    await follow(outside, await awaitMail(dataDir, email))
    await heading(outside.page, 'Confirmar e-mail')
    await settled(outside, 'confirming an e-mail on a phone')
    await press(outside.page, 'Não fui eu: descartar o pedido')
    await heading(outside.page, 'Pedido descartado')
    await settled(outside, 'request discarded')
    await outside.close()
  })

  test('an account after repeated invitations only the newest link sets the password', {
    timeout: 180_000,
  }, async () => {
    const guest = { name: 'Duda Ramos', email: 'duda@exemplo.com.br', password: phrase }
    const admin = await administrator('/usuario?tamanho=50')
    await press(admin.page, 'Convidar')
    const dialog = admin.page.getByRole('dialog')
    await fill(admin.page, { 'Nome do usuário': guest.name, 'E-mail': people.ana.email })
    admin.expectComplaint(/409/)
    await press(dialog, 'Criar convite')
    await dialog.getByText('Já existe um usuário com este e-mail.').waitFor()
    await settled(admin, 'inviting')
    await fill(admin.page, { 'E-mail': guest.email })
    await press(dialog, 'Criar convite')
    await dialog.getByRole('heading', { name: 'Convite criado, não enviado' }).waitFor()
    const main = admin.main
    await main.getByText(guest.email).waitFor()
    await settled(admin, 'invited')
    await press(dialog, 'Fechar')
    await main.getByText('Convite pendente').first().waitFor()
    await settled(admin, 'invited in the list')
    const first = await awaitMail(dataDir, guest.email)
    await press(main, `Reenviar convite a ${guest.name}`)
    await press(dialogOf(admin.page, 'Reenviar convite'), 'Reenviar convite')
    await press(dialogOf(admin.page, 'Convite criado, não enviado'), 'Fechar')
    // A third invitation, through the form, as if the first two were unknown.
    await press(admin.page, 'Convidar')
    await fill(admin.page, { 'Nome do usuário': guest.name, 'E-mail': guest.email })
    await press(dialog, 'Criar convite')
    await dialog.getByText(/O link do convite anterior não vale mais\./).waitFor()
    await settled(admin, 'invited once more')
    await admin.close()

    const last = await awaitMail(dataDir, guest.email, 3)
    for (const mail of [first, last]) expectMail(mail, 'Seu convite para o BI Manager')
    const outside = await visitor(onPhone)
    const { page } = outside
    outside.expectComplaint(/400/)
    await outside.goto('/convite')
    await heading(page, 'Abra de novo o link do e-mail')
    await settled(outside, 'invitation without its link')
    await follow(outside, first)
    await heading(page, 'Este link não vale mais')
    await settled(outside, 'dead invitation')
    await follow(outside, last)
    await heading(page, `Olá, ${guest.name}!`)
    await settled(outside, 'invitation')
    // Phones reload a tab when the person returns to it.
    await page.reload()
    await heading(page, `Olá, ${guest.name}!`)
    expect(new URL(page.url()).search).toBe('')
    await fill(page, { Senha: phrase, 'Confirmar senha': phrase })
    await press(page, 'Definir senha')
    await heading(page, 'Senha definida!')
    await settled(outside, 'password set')
    await page.getByRole('link', { name: 'Entrar' }).click()
    const { username } = signInForm(page)
    await username.waitFor()
    expect([await username.inputValue(), new URL(page.url()).search]).toEqual([guest.email, ''])
    await outside.signIn(guest)
    await outside.close()
  })

  test('recovery by e-mail answers alike for all, and its link works once', {
    timeout: 180_000,
  }, async () => {
    const owner = {
      name: 'Elis Souza',
      email: 'elis@exemplo.com.br',
      password: `${phrase} azul`,
    }
    const { call } = await signedInClient(portal, people.admin)
    await call(usersApi.create, {
      body: { nomeUsuario: owner.name, emailUsuario: owner.email, senhaUsuario: phrase },
    })
    const outside = await visitor(onPhone)
    const { page } = outside
    await outside.goto('/')
    await page.getByRole('link', { name: 'Recuperar senha' }).click()
    await heading(page, 'Recuperar senha')
    await settled(outside, 'recovery')
    const answers: (string | null)[] = []
    for (const email of ['ninguem@exemplo.com.br', owner.email]) {
      await fill(page, { 'E-mail': email })
      await press(page, 'Pedir link')
      await heading(page, 'Nenhum e-mail foi enviado')
      answers.push(await page.getByRole('main').textContent())
      await settled(outside, 'recovery asked')
      await outside.goto('/recovery-password')
    }
    expect(answers[0]).toBe(answers[1])

    const mail = await awaitMail(dataDir, owner.email)
    expectMail(mail, 'Redefinir sua senha do BI Manager')
    await follow(outside, mail)
    await heading(page, 'Nova senha')
    await page.reload()
    await heading(page, 'Nova senha')
    outside.expectComplaint(/422|400/)
    await fillNewPassword(page, 'senha123')
    await press(page, 'Alterar senha')
    await page.locator('[aria-invalid="true"]').first().waitFor()
    await settled(outside, 'weak password refused')
    await fillNewPassword(page, owner.password)
    await press(page, 'Alterar senha')
    await heading(page, 'Senha alterada!')
    expectMail(await awaitMail(dataDir, owner.email, 2), 'A senha da sua conta no BI Manager foi alterada')

    await follow(outside, mail)
    await heading(page, 'Este link não vale mais')
    await press(page, 'Pedir um novo link')
    await heading(page, 'Recuperar senha')
    await outside.goto('/')
    await outside.signIn(owner)
    await outside.close()
  })
})
