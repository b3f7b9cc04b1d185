import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Pending, problems } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { currentSession, startSession } from '../../lib/session/session.ts'
import { ChangePasswordPage } from './change-password-page.tsx'

/* `answers` are the responses of the test's HTTP server to the change, in order. */

let answers: { status: number; body?: object }[]
let received: unknown[]
let hasPassword: boolean
let server: Server
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const send = (status: number, body?: object) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(body && JSON.stringify(body))
      }
      if (request.url === '/api/portal') return send(200, { entradaComSenha: true })
      if (request.url === '/api/usuarios/sessao')
        return send(200, { nomeUsuario: 'Bia', emailUsuario: 'bia@exemplo.com.br', temSenha: hasPassword })
      received.push([request.method, request.url, JSON.parse(text)])
      const { status, body } = answers.shift() ?? { status: 500 }
      send(status, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
})
afterAll(() => server.close())

const problem = (code: 'reautenticacao_necessaria' | 'campos_invalidos', more: object = {}) => {
  const { status, title, detail } = problems[code]
  return { status, body: { type: 'x', title, status, detail, codigo: code, idRequisicao: '1', ...more } }
}

beforeEach(() => {
  received = []
  hasPassword = true
})

const open = async (pendencia: Pending | null = null) => {
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://localhost:${(server.address() as AddressInfo).port}/mudar-senha`)
  startSession({ ...signedInUntil(Date.now() + 60_000), usuario_id: 7, pendencia })
  const state = pendencia ? { destino: '/telemedicina' } : null
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={[{ pathname: '/mudar-senha', state }]}>
          <Routes>
            <Route path="/mudar-senha" element={<ChangePasswordPage />} />
            <Route path="*" element={<h1>Outra página</h1>} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  // Wait until it is known whether the user has a password.
  await screen.findByDisplayValue('bia@exemplo.com.br')
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Alterar senha' })
const url = '/api/usuario/mudarsenha/7'
const senha = 'cadeira verde no telhado'

const fill = (first = senha, second = first) => {
  type('Nova senha', first)
  type('Confirmar nova senha', second)
}

test('the change password page enables the button for two equal passwords of at least eight characters', async () => {
  await open()
  expect(button().disabled).toBe(true)
  fill('curta')
  expect(button().disabled).toBe(true)
  fill(senha, 'cadeira verde no telhada')
  expect(screen.getByText('As senhas não coincidem.')).toBeDefined()
  expect(button().disabled).toBe(true)
  fill()
  expect(screen.queryByText('As senhas não coincidem.')).toBeNull()
  expect(button().disabled).toBe(false)
})

test('the change password page asks for the current password when the server does, and keeps the typed text', async () => {
  answers = [
    problem('reautenticacao_necessaria'),
    problem('campos_invalidos', { campos: { senhaAtual: 'A senha atual não confere.' } }),
    { status: 204 },
  ]
  await open()
  fill()
  fireEvent.click(button())
  const current = await screen.findByLabelText('Senha atual')
  expect(document.activeElement).toBe(current)
  expect(screen.getByLabelText<HTMLInputElement>('Nova senha').value).toBe(senha)
  expect(screen.queryByRole('alert')).toBeNull()
  type('Senha atual', 'errada')
  fireEvent.click(button())
  await screen.findByText('A senha atual não confere.')
  type('Senha atual', 'a de antes')
  fireEvent.click(button())
  await screen.findByRole('heading', { name: 'Senha alterada!' })
  expect(received).toEqual([
    ['PUT', url, { id: 7, senha }],
    ['PUT', url, { id: 7, senha, senhaAtual: 'errada' }],
    ['PUT', url, { id: 7, senha, senhaAtual: 'a de antes' }],
  ])
})

test('the change password page tells a user without a password to sign in again instead', async () => {
  hasPassword = false
  answers = [problem('reautenticacao_necessaria', { detail: 'Saia, entre novamente e defina a senha.' })]
  await open()
  fill()
  fireEvent.click(button())
  expect((await screen.findByRole('alert')).textContent).toBe('Saia, entre novamente e defina a senha.')
  expect(screen.queryByLabelText('Senha atual')).toBeNull()
})

test("the change password page shows the server's error at the field", async () => {
  answers = [problem('campos_invalidos', { campos: { senha: 'Esta senha está entre as mais usadas.' } })]
  await open()
  fill('senha1234')
  fireEvent.click(button())
  await screen.findByText('Esta senha está entre as mais usadas.')
  fill()
  expect(screen.queryByText('Esta senha está entre as mais usadas.')).toBeNull()
})

test('the change password page lets the user postpone a password change that the sign-in asked for', async () => {
  await open('trocar_senha')
  expect(screen.getByText(/definida por um administrador/)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Agora não' }))
  await screen.findByRole('heading', { name: 'Outra página' })
  expect(currentSession()?.pendencia).toBeNull()
})

test('the change password page continues to the requested page after the change', async () => {
  answers = [{ status: 204 }]
  await open('trocar_senha')
  fill()
  fireEvent.click(button())
  fireEvent.click(await screen.findByRole('button', { name: 'Continuar' }))
  await screen.findByRole('heading', { name: 'Outra página' })
  expect(currentSession()?.pendencia).toBeNull()
})

test('the change password page requires the change of the generated initial password, then opens the requested page', async () => {
  answers = [{ status: 204 }]
  await open('senha_provisoria')
  expect(screen.getByText(/gerada na instalação/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Agora não' })).toBeNull()
  fill()
  fireEvent.click(button())
  await screen.findByRole('heading', { name: 'Outra página' })
  expect(currentSession()?.pendencia).toBeNull()
})
