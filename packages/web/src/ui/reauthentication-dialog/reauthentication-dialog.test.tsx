import { problems, usersApi } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { call } from '../../lib/api/api.ts'
import { endSession, startSession } from '../../lib/session/session.ts'
import { AdminPage } from '../page/admin-page.tsx'

/* A fake server that requires a recent re-authentication and keeps the calls it receives. */

let meios: string[]
let isConfirmed: boolean
let received: [call: string, body: unknown][]

const refusal = (codigo: 'reautenticacao_necessaria' | 'campos_invalidos', more: object = {}) => {
  const { status, title, detail } = problems[codigo]
  return Response.json(
    { type: 'x', title, status, detail, codigo, idRequisicao: '1', ...more },
    { status, headers: { 'content-type': 'application/problem+json' } },
  )
}

const answer = async (url: string, { method, body }: RequestInit) => {
  const sent = body ? JSON.parse(String(body)) : undefined
  if (url === '/api/usuarios/sessao') return Response.json({ emailUsuario: 'rita@exemplo.com.br' })
  received.push([`${method} ${url.replace('/api', '')}`, sent])
  if (url === '/api/usuarios/7') {
    return isConfirmed ? Response.json({ idUsuario: 7 }) : refusal('reautenticacao_necessaria')
  }
  if (method === 'GET') return Response.json({ meios })
  const [meio = ''] = Object.keys(sent)
  if (!['certa', '123456'].includes(sent[meio])) {
    return refusal('campos_invalidos', { campos: { [meio]: 'Não confere.' } })
  }
  isConfirmed = true
  return new Response(null, { status: 204 })
}

beforeEach(() => {
  meios = ['senha']
  isConfirmed = false
  received = []
  vi.stubGlobal('fetch', vi.fn(answer))
  startSession({ ...signedInUntil(Date.now() + 60_000), usuario_id: 1 })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <AdminPage title="Página">conteúdo</AdminPage>
      </QueryClientProvider>
    </MantineProvider>,
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  endSession('saiu')
})

const change = () =>
  call(usersApi.update, { params: { id: 7 }, body: { acessoProntuario: true } }).then(
    () => 'done',
    (error: { codigo: string }) => error.codigo,
  )
const dialog = () => screen.findByRole('dialog', { name: 'Confirme que é você' })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const put = ['PUT /usuarios/7', { acessoProntuario: true }]
const ask = ['GET /conta/confirmacao', undefined]

test('the reauthentication dialog repeats the refused call after the password is confirmed', async () => {
  const changed = change()
  await dialog()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Senha')))
  await userEvent.type(screen.getByLabelText('Senha'), 'certa')
  await press('Confirmar')
  expect(await changed).toBe('done')
  expect(received).toEqual([put, ask, ['POST /conta/confirmacao', { senha: 'certa' }], put])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the reauthentication dialog asks for nothing when the contract does not say that the call needs a re-authentication', async () => {
  const read = call(usersApi.get, { params: { id: 7 } })
  await expect(read).rejects.toMatchObject({ codigo: 'reautenticacao_necessaria' })
  expect(received).toEqual([['GET /usuarios/7', undefined]])
})

test('the dialog limits the time of each attempt, not the time that the person takes', async () => {
  vi.mocked(fetch).mockImplementation(async (url, init = {}) => {
    init.signal?.throwIfAborted()
    return answer(String(url), init)
  })
  const input = { params: { id: 7 }, body: { acessoProntuario: true } }
  const changed = call(usersApi.update, input, { limitMs: 500 })
  await dialog()
  await new Promise((resolve) => setTimeout(resolve, 600))
  await userEvent.type(screen.getByLabelText('Senha'), 'certa{Enter}')
  expect(await changed).toEqual({ idUsuario: 7 })
})

test('the reauthentication dialog shows a wrong password at its field and stays open', async () => {
  const changed = change()
  await dialog()
  await press('Confirmar')
  expect(await screen.findByText('É necessário preencher este campo.')).toBeDefined()
  await userEvent.type(screen.getByLabelText('Senha'), 'errada')
  await press('Confirmar')
  expect(await screen.findByText('Não confere.')).toBeDefined()
  await userEvent.clear(screen.getByLabelText('Senha'))
  await userEvent.type(screen.getByLabelText('Senha'), 'certa{Enter}')
  expect(await changed).toBe('done')
})

test('the reauthentication dialog accepts a second-factor code instead of the password', async () => {
  meios = ['senha', 'codigo']
  const changed = change()
  await dialog()
  await press('Usar um código do segundo fator')
  await userEvent.type(screen.getByLabelText('Código'), '123456')
  await press('Confirmar')
  expect(await changed).toBe('done')
  expect(received).toContainEqual(['POST /conta/confirmacao', { codigo: '123456' }])
})

test('the reauthentication dialog asks a person without a password for a code only', async () => {
  meios = ['codigo']
  void change()
  await dialog()
  expect(screen.getByLabelText('Código')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Usar a senha' })).toBeNull()
})

test('the reauthentication dialog fails the call with the first refusal when the person cancels', async () => {
  const changed = change()
  await dialog()
  await press('Cancelar')
  expect(await changed).toBe('reautenticacao_necessaria')
  expect(received).toEqual([put, ask])
})

test('the reauthentication dialog fails the call with the first refusal when the person has no means of confirmation', async () => {
  meios = []
  expect(await change()).toBe('reautenticacao_necessaria')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the reauthentication dialog fails the call with the first refusal when the page is left', async () => {
  const changed = change()
  await dialog()
  cleanup()
  expect(await changed).toBe('reautenticacao_necessaria')
})
