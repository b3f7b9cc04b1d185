import { problems } from '@bi-manager/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountPages, problem, type } from '../../../test/account-pages.tsx'
import { SignUpPage } from './sign-up-page.tsx'

const { answers, received, open } = accountPages()

const fillSignUp = (changes: Record<string, string> = {}) => {
  const values = {
    'Nome Completo': 'Bia Costa',
    'E-mail': 'bia@exemplo.com.br',
    Senha: 'Primeira senha 1',
    'Confirmar senha': 'Primeira senha 1',
    ...changes,
  }
  for (const [label, value] of Object.entries(values)) type(label, value)
}

const finish = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Finalizar cadastro' })

test('the page sends the sign-up once all fields are filled, and then says who decides', async () => {
  answers['/faleconosco/'] = { status: 202, body: { mensagem: 'ok' } }
  open(SignUpPage, '/cadastro')
  for (const [label, value] of [
    ['Nome Completo', 'Bia Costa'],
    ['E-mail', 'bia@exemplo.com.br'],
    ['Senha', 'Primeira senha 1'],
    ['Confirmar senha', 'Primeira senha 1'],
  ] as const) {
    expect(finish().disabled).toBe(true)
    type(label, value)
  }
  expect(finish().disabled).toBe(false)
  // Two submits before the next render.
  fireEvent.click(finish())
  fireEvent.submit(finish().closest('form') ?? finish())
  await screen.findByRole('heading', { name: 'Pedido enviado!' })
  expect(screen.getByText(/Um administrador precisa aprovar a sua conta/).textContent).toContain(
    'bia@exemplo.com.br',
  )
  expect(received).toEqual([
    ['/faleconosco/', { nome: 'Bia Costa', email: 'bia@exemplo.com.br', password: 'Primeira senha 1' }],
  ])
})

test('the page promises no e-mail without a mail server', async () => {
  answers['/portal'] = { status: 200, body: { entradaComSenha: true, enviaEmails: false } }
  answers['/faleconosco/'] = { status: 202, body: { mensagem: 'ok' } }
  open(SignUpPage, '/cadastro')
  await screen.findByText(/Este portal não envia e-mails/)
  expect(screen.queryByText(/por um link/)).toBeNull()
  fillSignUp()
  fireEvent.click(finish())
  await screen.findByRole('heading', { name: 'Pedido enviado!' })
  screen.getByText(/não envia e-mails: um administrador vê o pedido/)
  expect(screen.queryByText(/enviamos|chega por e-mail/)).toBeNull()
})

test('the page reports an invalid e-mail, a short password and a mismatch at their fields, without sending', async () => {
  open(SignUpPage, '/cadastro')
  fillSignUp({ 'E-mail': 'bia', Senha: 'curta', 'Confirmar senha': 'outra' })
  expect(screen.queryByText('As senhas não coincidem.')).toBeNull()
  fireEvent.click(finish())
  for (const text of [
    'Informe um e-mail válido.',
    'A senha precisa de ao menos 8 caracteres.',
    'As senhas não coincidem.',
  ])
    expect(await screen.findByText(text)).toBeDefined()
  expect(received).toEqual([])
})

test('the form reports different passwords when the second field loses the focus', async () => {
  open(SignUpPage, '/cadastro')
  fillSignUp({ 'Confirmar senha': 'Primeira senha 2' })
  fireEvent.blur(screen.getByLabelText('Confirmar senha'))
  expect(await screen.findByText('As senhas não coincidem.')).toBeDefined()
  type('Confirmar senha', 'Primeira senha 1')
  expect(screen.queryByText('As senhas não coincidem.')).toBeNull()
})

test("the page shows the server's errors at their fields and keeps the typed text", async () => {
  answers['/faleconosco/'] = problem('campos_invalidos', { campos: { password: 'Senha fraca demais.' } })
  open(SignUpPage, '/cadastro')
  fillSignUp()
  fireEvent.click(finish())
  expect(await screen.findByText('Senha fraca demais.')).toBeDefined()
  type('Senha', 'Primeira senha 1!')
  await waitFor(() => expect(screen.queryByText('Senha fraca demais.')).toBeNull())
  answers['/faleconosco/'] = { ...problem('muitas_tentativas'), retryAfter: '840' }
  type('Confirmar senha', 'Primeira senha 1!')
  fireEvent.click(finish())
  expect((await screen.findByRole('alert')).textContent).toBe(
    `${problems.muitas_tentativas.detail} Nova tentativa em 14 minutos.`,
  )
  expect(screen.getByLabelText<HTMLInputElement>('Nome Completo').value).toBe('Bia Costa')
})

test('the page promises no repeat after a 503: a write is never sent again by itself', async () => {
  answers['/faleconosco/'] = { ...problem('servico_indisponivel'), retryAfter: '2' }
  open(SignUpPage, '/cadastro')
  fillSignUp()
  fireEvent.click(finish())
  expect((await screen.findByRole('alert')).textContent).toBe(problems.servico_indisponivel.detail)
})

test('the page reports a password that is too short only once', async () => {
  open(SignUpPage, '/cadastro')
  fillSignUp({ Senha: 'curta', 'Confirmar senha': 'curta' })
  await screen.findByText('Use ao menos 8 caracteres.')
  fireEvent.click(finish())
  await screen.findByText('A senha precisa de ao menos 8 caracteres.')
  await waitFor(() => expect(screen.queryByText('Use ao menos 8 caracteres.')).toBeNull())
})
