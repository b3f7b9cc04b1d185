// @vitest-environment happy-dom
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { portalApi, problems, sessionsApi } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { currentSession } from '../../lib/session.ts'
import { OTHER_PROBLEM, urls, WRONG_CREDENTIALS } from './entrance-api.ts'
import { SignInForm } from './sign-in-form.tsx'

/** Answers over HTTP as the API does, one answer for all calls of a test. */
let answer: { status: number; body: object; retryAfter?: string }
let received: unknown[]
let server: Server

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      received.push([request.url, JSON.parse(text)])
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'retry-after': answer.retryAfter ?? '',
      })
      response.end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://localhost:${(server.address() as AddressInfo).port}/`)
})
afterAll(() => server.close())

beforeEach(() => {
  received = []
  render(
    <MantineProvider>
      <SignInForm lead="Entre para ver seus relatórios gerenciais." />
    </MantineProvider>,
  )
})

const submit = async (username: string, password: string) => {
  if (username) await userEvent.type(screen.getByLabelText('Usuário'), username)
  if (password) await userEvent.type(screen.getByLabelText('Senha'), password)
  await userEvent.click(screen.getByRole('button', { name: 'Acessar' }))
}

test('the hand-written calls and sentences are those of the contract', () => {
  expect(urls).toEqual({ signIn: sessionsApi.signIn.url, portal: portalApi.settings.url })
  expect(WRONG_CREDENTIALS).toBe(problems.credenciais_invalidas.detail)
  expect(OTHER_PROBLEM).toBe(problems.erro_interno.detail)
})

test('both fields are required, and nothing is sent without them', async () => {
  await submit('', '')
  expect(screen.getByText('Usuário é obrigatório')).toBeDefined()
  expect(screen.getByText('Senha obrigatório')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByLabelText('Usuário'))
  expect(received).toEqual([])
})

test('a sign-in keeps the session, and the user name alone when asked to remember it', async () => {
  answer = { status: 200, body: signedInUntil(Date.now() + 60_000) }
  await userEvent.click(screen.getByLabelText('Lembrar Usuário'))
  await submit(' ana@demo.local ', 'segredo de ana')
  await waitFor(() => expect(currentSession()?.nome).toBe('Ana Souza'))
  expect(received).toEqual([
    ['/api/usuarios/authorizer', { username: 'ana@demo.local', password: 'segredo de ana' }],
  ])
  expect(localStorage.getItem('bi-manager.usuario-lembrado')).toBe('ana@demo.local')
  expect(JSON.stringify({ ...localStorage })).not.toContain('segredo')
})

test.each([
  [401, undefined, 'Atenção! Usuário ou senha, incorretos, tente novamente.'],
  [
    500,
    undefined,
    'Erro! Tente novamente caso este problema persista, entre em contato com o suporte do sistema.',
  ],
  [429, '840', `${problems.muitas_tentativas.detail} Nova tentativa em 14 minutos.`],
  [429, '1', `${problems.muitas_tentativas.detail} Nova tentativa em 1 segundo.`],
])(
  'an answer %s (Retry-After %s) shows its sentence and keeps what was typed',
  async (status, retryAfter, text) => {
    answer = {
      status,
      body: { detail: problems.muitas_tentativas.detail },
      ...(retryAfter && { retryAfter }),
    }
    await submit('ana', 'errada')
    expect((await screen.findByRole('alert')).textContent).toBe(text)
    expect(screen.getByLabelText<HTMLInputElement>('Usuário').value).toBe('ana')
    expect(screen.getByLabelText<HTMLInputElement>('Senha').value).toBe('errada')
    expect(currentSession()).toBeUndefined()
  },
)

test('the password can be shown and hidden', async () => {
  const field = screen.getByLabelText('Senha')
  expect(field.getAttribute('type')).toBe('password')
  await userEvent.click(screen.getByRole('button', { name: 'Mostrar senha' }))
  expect(field.getAttribute('type')).toBe('text')
})
