import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountPages, link, problem, token, type } from '../../../test/account-pages.tsx'
import { signedInUntil } from '../../../test/token.ts'
import { currentSession, startSession } from '../../lib/session/session.ts'
import { InvitationPage } from './invitation-page.tsx'
import { RecoveryPage } from './recovery-page.tsx'
import { SignUpPage } from './sign-up-page.tsx'

const { answers, received, origin, open, reload } = accountPages()

test('the page shows the same message for every recovery request', async () => {
  answers['/login/recuperar-senha'] = { status: 202, body: { mensagem: 'Se houver uma conta, enviamos.' } }
  open(RecoveryPage, '/recovery-password')
  type('E-mail', 'bia@exemplo.com.br')
  fireEvent.click(screen.getByRole('button', { name: 'Enviar link' }))
  await screen.findByRole('heading', { name: 'Confira o seu e-mail' })
  expect(screen.getByText(/Se houver uma conta, enviamos\./)).toBeDefined()
  expect(received).toEqual([['/login/recuperar-senha', { email: 'bia@exemplo.com.br' }]])
})

test('the page says after a recovery request that e-mails are late, whoever asked', async () => {
  const settings = { entradaComSenha: true, enviaEmails: true, correioAtrasado: true }
  answers['/portal'] = { status: 200, body: settings }
  answers['/login/recuperar-senha'] = { status: 202, body: { mensagem: 'Se houver uma conta, enviamos.' } }
  open(RecoveryPage, '/recovery-password')
  type('E-mail', 'bia@exemplo.com.br')
  fireEvent.click(screen.getByRole('button', { name: 'Enviar link' }))
  await screen.findByRole('heading', { name: 'Confira o seu e-mail' })
  const late = /^ ?O envio de e-mails está atrasado, e o link pode demorar a chegar\. .*peça outro\.$/
  expect((await screen.findByText(late)).getAttribute('role')).toBe('status')
  expect(screen.getByText(/Se houver uma conta, enviamos\./)).toBeDefined()
})

test('the page says that no recovery link is sent without a mail server', async () => {
  answers['/portal'] = { status: 200, body: { entradaComSenha: true, enviaEmails: false } }
  answers['/login/recuperar-senha'] = { status: 202, body: { mensagem: 'Se houver uma conta, enviamos.' } }
  open(RecoveryPage, '/recovery-password')
  await screen.findByText(/peça uma senha nova a um administrador/)
  type('E-mail', 'bia@exemplo.com.br')
  fireEvent.click(screen.getByRole('button', { name: 'Pedir link' }))
  await screen.findByRole('heading', { name: 'Nenhum e-mail foi enviado' })
  expect(screen.queryByText(/enviamos/)).toBeNull()
})

test('the page removes the token from the URL, checks the link and sets the new password', async () => {
  answers['/login/verificar-link'] = link('recuperacao')
  answers['/login/redefinir-senha'] = { status: 204 }
  startSession(signedInUntil(Date.now() + 60_000))
  open(RecoveryPage, `/recovery-password?token=${token}`)
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Alterar senha' })
  expect(window.location.href).toBe(`${origin()}/recovery-password`)
  expect(received).toEqual([['/login/verificar-link', { token }]])
  expect(button.disabled).toBe(true)
  type('Nova senha', 'Senha bem nova 2')
  type('Confirmar nova senha', 'Senha bem nova 3')
  fireEvent.click(button)
  expect(await screen.findByText('As senhas não coincidem.')).toBeDefined()
  type('Confirmar nova senha', 'Senha bem nova 2')
  fireEvent.click(button)
  await screen.findByRole('heading', { name: 'Senha alterada!' })
  expect(received[1]).toEqual(['/login/redefinir-senha', { token, novaSenha: 'Senha bem nova 2' }])
  // The existing session has ended, so that 'Entrar' shows the form.
  expect(currentSession()).toBeUndefined()
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(token)
})

test.each([
  ['recuperacao', '/recovery-password', RecoveryPage, 'Nova senha', 'Recuperar senha'],
  ['convite', '/convite', InvitationPage, 'Olá, Bia Costa!', 'Abra de novo o link do e-mail'],
] as const)(
  'the page shows the form of a link again after a reload until the link is used: %s',
  async (tipo, path, Page, form, without) => {
    answers['/login/verificar-link'] = link(tipo)
    answers['/login/redefinir-senha'] = { status: 204 }
    open(Page, `${path}?token=${token}`)
    await screen.findByRole('heading', { name: form })
    reload(Page)
    await screen.findByRole('heading', { name: form })
    expect(window.location.href).toBe(origin() + path)
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(token)
    for (const field of screen.getAllByLabelText(/senha$/i, { selector: 'input[name]' }))
      fireEvent.change(field, { target: { value: 'Senha bem nova 2' } })
    fireEvent.click(screen.getByRole('button', { name: /^(Alterar|Definir) senha$/ }))
    await screen.findByRole('heading', { name: /^Senha .*!$/ })
    expect(JSON.stringify(window.history.state)).not.toContain(token)
    reload(Page)
    expect(await screen.findByRole('heading', { name: without })).toBeDefined()
  },
)

test('a reload does not return to an invalid link after another one was requested', async () => {
  answers['/login/verificar-link'] = problem('link_invalido')
  open(RecoveryPage, `/recovery-password?token=${token}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Pedir um novo link' }))
  reload(RecoveryPage)
  expect(await screen.findByRole('heading', { name: 'Recuperar senha' })).toBeDefined()
})

test('the page says what to do about an invalid link and offers to request another', async () => {
  answers['/login/verificar-link'] = problem('link_invalido')
  open(RecoveryPage, `/recovery-password?token=${token}`)
  await screen.findByRole('heading', { name: 'Este link não vale mais' })
  fireEvent.click(screen.getByRole('button', { name: 'Pedir um novo link' }))
  expect(await screen.findByRole('heading', { name: 'Recuperar senha' })).toBeDefined()
})

test('the page says that the link expired while the form was open', async () => {
  answers['/login/verificar-link'] = link('recuperacao')
  answers['/login/redefinir-senha'] = problem('link_invalido')
  open(RecoveryPage, `/recovery-password?token=${token}`)
  const button = await screen.findByRole('button', { name: 'Alterar senha' })
  answers['/login/verificar-link'] = problem('link_invalido')
  type('Nova senha', 'Senha bem nova 2')
  type('Confirmar nova senha', 'Senha bem nova 2')
  fireEvent.click(button)
  expect(await screen.findByRole('heading', { name: 'Este link não vale mais' })).toBeDefined()
})

test('the page greets an invited user by name and sets the first password', async () => {
  answers['/login/verificar-link'] = link('convite')
  answers['/login/redefinir-senha'] = { status: 204 }
  open(InvitationPage, `/convite?token=${token}`)
  await screen.findByRole('heading', { name: 'Olá, Bia Costa!' })
  type('Senha', 'Primeira senha 1')
  type('Confirmar senha', 'Primeira senha 1')
  fireEvent.click(screen.getByRole('button', { name: 'Definir senha' }))
  expect(await screen.findByRole('heading', { name: 'Senha definida!' })).toBeDefined()
})

test('the page says after the recovery of a pending account that an administrator decides', async () => {
  answers['/login/verificar-link'] = link('recuperacao', true)
  answers['/login/redefinir-senha'] = { status: 204 }
  open(RecoveryPage, `/recovery-password?token=${token}`)
  await screen.findByRole('button', { name: 'Alterar senha' })
  for (const label of ['Nova senha', 'Confirmar nova senha']) type(label, 'Senha bem nova 2')
  fireEvent.click(screen.getByRole('button', { name: 'Alterar senha' }))
  expect(await screen.findByText(/Depois que um administrador aprovar a conta: entre com/)).toBeDefined()
})

test('the page offers a retry when the link cannot be checked', async () => {
  answers['/login/verificar-link'] = problem('servico_indisponivel')
  open(InvitationPage, `/convite?token=${token}`)
  await screen.findByRole('heading', { name: 'O link não pôde ser conferido' })
  answers['/login/verificar-link'] = link('convite')
  fireEvent.click(screen.getByRole('button', { name: 'Tentar novamente' }))
  expect(await screen.findByRole('heading', { name: 'Olá, Bia Costa!' })).toBeDefined()
})

test.each([
  ['/cadastro', SignUpPage],
  ['/recovery-password', RecoveryPage],
  [`/convite?token=${token}`, InvitationPage],
])('%s shows no form when sign-in works through the provider only', async (address, Page) => {
  answers['/portal'] = { status: 200, body: { entradaComSenha: false } }
  answers['/login/verificar-link'] = problem('senha_desativada')
  open(Page, address)
  await screen.findByRole('heading', { name: 'Aqui se entra com a conta da empresa' })
  expect(document.querySelector('form')).toBeNull()
})
