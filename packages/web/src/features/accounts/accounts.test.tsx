// @vitest-environment happy-dom
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { problems } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ComponentType } from 'react'
import { MemoryRouter } from 'react-router'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { currentSession, startSession } from '../../lib/session/session.ts'
import { ConfirmEmailPage } from './confirm-email-page.tsx'
import { InvitationPage } from './invitation-page.tsx'
import { RecoveryPage } from './recovery-page.tsx'
import { SignUpPage } from './sign-up-page.tsx'

interface Answer {
  status: number
  body?: object
  retryAfter?: string
}

/** Responses of the test's HTTP server, by URL. */
let answers: Record<string, Answer>
let received: [address: string, body: unknown][]
let server: Server
let origin: string

const settings = { entradaComSenha: true }

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const address = request.url?.replace('/api', '') ?? ''
      if (address !== '/portal') received.push([address, JSON.parse(text || 'null')])
      const { status, body, retryAfter } = answers[address] ?? { status: 404 }
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(retryAfter && { 'retry-after': retryAfter }),
      })
      response.end(body && JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  received = []
  window.history.replaceState(null, '')
  answers = { '/portal': { status: 200, body: settings } }
})
afterEach(cleanup)

const open = (Page: ComponentType, address: string) => {
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(origin + address)
  return show(Page)
}

const show = (Page: ComponentType) =>
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <Page />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )

/** Renders the page again for the same history entry, without any state. */
const reload = (Page: ComponentType) => {
  cleanup()
  show(Page)
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

const problem = (code: keyof typeof problems, more: object = {}) => {
  const { status, title, detail } = problems[code]
  return { status, body: { type: 'x', title, status, detail, codigo: code, idRequisicao: '1', ...more } }
}

const token = 'a'.repeat(43)
const link = (
  tipo: 'recuperacao' | 'convite' | 'confirmacao',
  aguardaAprovacao = tipo === 'confirmacao',
) => ({
  status: 200,
  body: {
    tipo,
    nomeUsuario: 'Bia Costa',
    emailUsuario: 'bia@exemplo.com.br',
    aguardaAprovacao,
    pedeSenha: tipo === 'confirmacao',
    provedor: null as string | null,
    expiraEm: '2026-12-01T00:00:00.000Z',
  },
})

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

test('sends the sign-up once all fields are filled, and then says who decides', async () => {
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

test('reports an invalid e-mail, a short password and a mismatch at their fields, without sending', async () => {
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

test('reports different passwords when the second field loses the focus', async () => {
  open(SignUpPage, '/cadastro')
  fillSignUp({ 'Confirmar senha': 'Primeira senha 2' })
  fireEvent.blur(screen.getByLabelText('Confirmar senha'))
  expect(await screen.findByText('As senhas não coincidem.')).toBeDefined()
  type('Confirmar senha', 'Primeira senha 1')
  expect(screen.queryByText('As senhas não coincidem.')).toBeNull()
})

test("shows the server's errors at their fields and keeps the typed text", async () => {
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

test('promises no repeat after a 503: a write is never sent again by itself', async () => {
  answers['/faleconosco/'] = { ...problem('servico_indisponivel'), retryAfter: '2' }
  open(SignUpPage, '/cadastro')
  fillSignUp()
  fireEvent.click(finish())
  expect((await screen.findByRole('alert')).textContent).toBe(problems.servico_indisponivel.detail)
})

test('shows the same message for every recovery request', async () => {
  answers['/login/recuperar-senha'] = { status: 202, body: { mensagem: 'Se houver uma conta, enviamos.' } }
  open(RecoveryPage, '/recovery-password')
  type('E-mail', 'bia@exemplo.com.br')
  fireEvent.click(screen.getByRole('button', { name: 'Enviar link' }))
  await screen.findByRole('heading', { name: 'Confira o seu e-mail' })
  expect(screen.getByText(/Se houver uma conta, enviamos\./)).toBeDefined()
  expect(received).toEqual([['/login/recuperar-senha', { email: 'bia@exemplo.com.br' }]])
})

test('removes the token from the URL, checks the link and sets the new password', async () => {
  answers['/login/verificar-link'] = link('recuperacao')
  answers['/login/redefinir-senha'] = { status: 204 }
  startSession(signedInUntil(Date.now() + 60_000))
  open(RecoveryPage, `/recovery-password?token=${token}`)
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Alterar senha' })
  expect(window.location.href).toBe(`${origin}/recovery-password`)
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
  'shows the form of a link again after a reload until the link is used: %s',
  async (tipo, path, Page, form, without) => {
    answers['/login/verificar-link'] = link(tipo)
    answers['/login/redefinir-senha'] = { status: 204 }
    open(Page, `${path}?token=${token}`)
    await screen.findByRole('heading', { name: form })
    reload(Page)
    await screen.findByRole('heading', { name: form })
    expect(window.location.href).toBe(origin + path)
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

test('does not return to an invalid link on reload after another one was requested', async () => {
  answers['/login/verificar-link'] = problem('link_invalido')
  open(RecoveryPage, `/recovery-password?token=${token}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Pedir um novo link' }))
  reload(RecoveryPage)
  expect(await screen.findByRole('heading', { name: 'Recuperar senha' })).toBeDefined()
})

test('reports a password that is too short only once', async () => {
  open(SignUpPage, '/cadastro')
  fillSignUp({ Senha: 'curta', 'Confirmar senha': 'curta' })
  await screen.findByText('Use ao menos 8 caracteres.')
  fireEvent.click(finish())
  await screen.findByText('A senha precisa de ao menos 8 caracteres.')
  await waitFor(() => expect(screen.queryByText('Use ao menos 8 caracteres.')).toBeNull())
})

test('says what to do about an invalid link and offers to request another', async () => {
  answers['/login/verificar-link'] = problem('link_invalido')
  open(RecoveryPage, `/recovery-password?token=${token}`)
  await screen.findByRole('heading', { name: 'Este link não vale mais' })
  fireEvent.click(screen.getByRole('button', { name: 'Pedir um novo link' }))
  expect(await screen.findByRole('heading', { name: 'Recuperar senha' })).toBeDefined()
})

test('says that the link expired while the form was open', async () => {
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

test('greets an invited user by name and sets the first password', async () => {
  answers['/login/verificar-link'] = link('convite')
  answers['/login/redefinir-senha'] = { status: 204 }
  open(InvitationPage, `/convite?token=${token}`)
  await screen.findByRole('heading', { name: 'Olá, Bia Costa!' })
  type('Senha', 'Primeira senha 1')
  type('Confirmar senha', 'Primeira senha 1')
  fireEvent.click(screen.getByRole('button', { name: 'Definir senha' }))
  expect(await screen.findByRole('heading', { name: 'Senha definida!' })).toBeDefined()
})

test('confirms a request by its password, not by opening the link, and starts no session', async () => {
  answers['/login/verificar-link'] = link('confirmacao')
  answers['/login/confirmar-email'] = { status: 200, body: { mensagem: 'Aguarde a aprovação.' } }
  open(ConfirmEmailPage, `/confirmar-email?token=${token}`)
  await screen.findByRole('heading', { name: 'Confirmar e-mail' })
  expect(screen.getByText(/pediu uma conta no BI Manager/).textContent).toContain('Bia Costa')
  expect(received).toEqual([['/login/verificar-link', { token }]])
  expect(window.location.href).toBe(`${origin}/confirmar-email`)
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

test('reports a wrong password of the request, keeps the link and offers the recovery', async () => {
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

test('names the provider of a request without a password and confirms it with one click', async () => {
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

test('says after the recovery of a pending account that an administrator decides', async () => {
  answers['/login/verificar-link'] = link('recuperacao', true)
  answers['/login/redefinir-senha'] = { status: 204 }
  open(RecoveryPage, `/recovery-password?token=${token}`)
  await screen.findByRole('button', { name: 'Alterar senha' })
  for (const label of ['Nova senha', 'Confirmar nova senha']) type(label, 'Senha bem nova 2')
  fireEvent.click(screen.getByRole('button', { name: 'Alterar senha' }))
  expect(await screen.findByText(/Depois que um administrador aprovar a conta: entre com/)).toBeDefined()
})

test('offers “Não fui eu” for a pending account only, and discards the request', async () => {
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

test('says that the request was decided while the page was open', async () => {
  answers['/login/verificar-link'] = link('confirmacao')
  answers['/login/confirmar-email'] = problem('link_invalido')
  open(ConfirmEmailPage, `/confirmar-email?token=${token}`)
  const confirm = await screen.findByRole('button', { name: 'Fui eu: confirmar meu e-mail' })
  answers['/login/verificar-link'] = problem('link_invalido')
  type('Senha que você escolheu no cadastro', 'Primeira senha 1')
  fireEvent.click(confirm)
  expect(await screen.findByRole('heading', { name: 'Este link não vale mais' })).toBeDefined()
})

test('offers a retry when the link cannot be checked', async () => {
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
