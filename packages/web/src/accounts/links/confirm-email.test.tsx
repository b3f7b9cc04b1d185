import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountPages, link, problem, token, type } from '../../../test/account-pages.tsx'
import { currentSession } from '../../lib/session/session.ts'
import { ConfirmEmailPage } from './confirm-email-page.tsx'

const { answers, received, origin, open, reload } = accountPages()

test('the page confirms a request by its password, not by opening the link, and starts no session', async () => {
  answers['/login/verificar-link'] = link('confirmacao')
  answers['/login/confirmar-email'] = { status: 200, body: { mensagem: 'Aguarde a aprovação.' } }
  open(ConfirmEmailPage, `/confirmar-email?token=${token}`)
  await screen.findByRole('heading', { name: 'Confirmar e-mail' })
  expect(screen.getByText(/pediu uma conta no BI Manager/).textContent).toContain('Bia Costa')
  expect(received).toEqual([['/login/verificar-link', { token }]])
  expect(window.location.href).toBe(`${origin()}/confirmar-email`)
  const confirm = screen.getByRole<HTMLButtonElement>('button', { name: 'Fui eu: confirmar meu e-mail' })
  expect(confirm.disabled).toBe(true)
  const field = screen.getByLabelText<HTMLInputElement>('Senha que você escolheu no cadastro')
  expect(field.autocomplete).toBe('current-password')
  type('Senha que você escolheu no cadastro', 'Primeira senha 1')
  fireEvent.click(confirm)
  fireEvent.click(confirm)
  await screen.findByRole('heading', { name: 'E-mail confirmado!' })
  expect(screen.getByText('Aguarde a aprovação.')).toBeDefined()
  expect(received.slice(1)).toEqual([['/login/confirmar-email', { token, password: 'Primeira senha 1' }]])
  expect(currentSession()).toBeUndefined()
  reload(ConfirmEmailPage)
  expect(await screen.findByRole('heading', { name: 'Abra de novo o link do e-mail' })).toBeDefined()
})

test('the page reports a wrong password of the request, keeps the link and offers the recovery', async () => {
  answers['/login/verificar-link'] = link('confirmacao')
  answers['/login/confirmar-email'] = problem('campos_invalidos', {
    campos: { password: 'Esta não é a senha.' },
  })
  open(ConfirmEmailPage, `/confirmar-email?token=${token}`)
  const confirm = await screen.findByRole('button', { name: 'Fui eu: confirmar meu e-mail' })
  type('Senha que você escolheu no cadastro', 'Girassol de inverno 58')
  fireEvent.click(confirm)
  await screen.findByText('Esta não é a senha.')
  expect(screen.getByText(/recuperar senha$/).getAttribute('href')).toBe('/recovery-password')
  type('Senha que você escolheu no cadastro', 'Primeira senha 1')
  await waitFor(() => expect(screen.queryByText('Esta não é a senha.')).toBeNull())
  answers['/login/confirmar-email'] = { status: 200, body: { mensagem: 'Aguarde a aprovação.' } }
  fireEvent.click(confirm)
  expect(await screen.findByRole('heading', { name: 'E-mail confirmado!' })).toBeDefined()
})

test('the page names the provider of a request without a password and confirms it with one click', async () => {
  const body = { ...link('confirmacao').body, pedeSenha: false, provedor: 'Google' }
  answers['/login/verificar-link'] = { status: 200, body }
  answers['/login/confirmar-email'] = { status: 200, body: { mensagem: 'Aguarde a aprovação.' } }
  open(ConfirmEmailPage, `/confirmar-email?token=${token}`)
  const confirm = await screen.findByRole('button', { name: 'Fui eu: confirmar meu e-mail' })
  expect(screen.getByText(/foi pedida em “Entrar com Google”/).textContent).toContain(
    'com o nome Bia Costa. Quem entrou lá abrirá a conta',
  )
  expect(screen.queryByLabelText(/^Senha/)).toBeNull()
  fireEvent.click(confirm)
  await screen.findByRole('heading', { name: 'E-mail confirmado!' })
  expect(received.at(-1)).toEqual(['/login/confirmar-email', { token }])
})

test('the page offers “Não fui eu” for a pending account only, and discards the request', async () => {
  answers['/login/verificar-link'] = link('confirmacao', false)
  open(ConfirmEmailPage, `/confirmar-email?token=${token}`)
  await screen.findByRole('button', { name: 'Fui eu: confirmar meu e-mail' })
  expect(screen.queryByRole('button', { name: /^Não fui eu/ })).toBeNull()
  cleanup()
  answers['/login/verificar-link'] = link('confirmacao')
  answers['/login/recusar-cadastro'] = { status: 204 }
  open(ConfirmEmailPage, `/confirmar-email?token=${token}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Não fui eu: descartar o pedido' }))
  await screen.findByRole('heading', { name: 'Pedido descartado' })
  expect(received.at(-1)).toEqual(['/login/recusar-cadastro', { token }])
})

test('the page says that the request was decided while the page was open', async () => {
  answers['/login/verificar-link'] = link('confirmacao')
  answers['/login/confirmar-email'] = problem('link_invalido')
  open(ConfirmEmailPage, `/confirmar-email?token=${token}`)
  const confirm = await screen.findByRole('button', { name: 'Fui eu: confirmar meu e-mail' })
  answers['/login/verificar-link'] = problem('link_invalido')
  type('Senha que você escolheu no cadastro', 'Primeira senha 1')
  fireEvent.click(confirm)
  expect(await screen.findByRole('heading', { name: 'Este link não vale mais' })).toBeDefined()
})
