import type { ApiKey } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OwnKeysPage } from './own-keys-page.tsx'

const chave: ApiKey = {
  idChave: 3,
  nome: 'Planilha',
  prefixo: 'bim_Ab12Cd',
  grupos: ['DADOS'],
  redes: [],
  criadaEm: new Date().toISOString(),
  expiraEm: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  usadaEm: null,
  usadaDe: null,
}
const credencial = `bim_Ab12Cd${'x'.repeat(40)}`

let keys: { podeCriar: boolean; mcp: boolean; chaves: ApiKey[] }
let tipoUsuario: 'ADMIN' | 'USER'
let sent: [method: string, path: string, body: unknown][]
beforeEach(() => {
  keys = { podeCriar: true, mcp: false, chaves: [] }
  tipoUsuario = 'USER'
  sent = []
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method !== 'GET') sent.push([method, path, body ? JSON.parse(String(body)) : undefined])
    if (path === '/api/usuarios/sessao') return Response.json({ tipoUsuario })
    if (path === '/api/conta/chaves' && method === 'POST') {
      keys.chaves = [chave]
      return Response.json({ chave, credencial }, { status: 201 })
    }
    if (method === 'DELETE') {
      keys.chaves = []
      return new Response(null, { status: 204 })
    }
    return Response.json(keys)
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MantineProvider env="test">
        <RouterProvider router={createMemoryRouter([{ path: '*', Component: OwnKeysPage }])} />
      </MantineProvider>
    </QueryClientProvider>,
  )

test('the own keys page creates a key, shows it once, and closes only after it was copied', async () => {
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Criar chave' }))
  const form = within(await screen.findByRole('form', { name: 'Criar chave' }))
  await userEvent.type(form.getByLabelText(/^Nome/), 'Planilha')
  await userEvent.click(form.getByRole('checkbox', { name: /^Ler dados dos relatórios/ }))
  await userEvent.selectOptions(form.getByLabelText('Validade'), '30 dias')
  await userEvent.type(form.getByLabelText(/^Redes/), '192.0.2.0/24')
  await userEvent.click(form.getByRole('button', { name: 'Criar chave' }))
  expect((await screen.findByTestId('chave')).textContent).toBe(credencial)
  expect(sent).toEqual([
    ['POST', '/api/conta/chaves', { nome: 'Planilha', grupos: ['DADOS'], dias: 30, redes: ['192.0.2.0/24'] }],
  ])
  const done = screen.getByRole('button', { name: 'Concluir' })
  expect(done).toHaveProperty('disabled', true)
  await userEvent.click(screen.getByRole('checkbox', { name: 'Copiei a chave' }))
  await userEvent.click(done)
  await vi.waitFor(() => expect(screen.queryByTestId('chave')).toBeNull())
  expect(await screen.findByText('bim_Ab12Cd…')).toBeTruthy()
  expect(document.body.innerHTML).not.toContain(credencial)
})

test.each([true, false])(
  'the own keys page says with a new key where the MCP server is, if it is on: %s',
  async (mcp) => {
    keys.mcp = mcp
    show()
    await userEvent.click(await screen.findByRole('button', { name: 'Criar chave' }))
    const form = within(await screen.findByRole('form', { name: 'Criar chave' }))
    await userEvent.type(form.getByLabelText(/^Nome/), 'Assistente')
    await userEvent.click(form.getByRole('checkbox', { name: /^Ler dados dos relatórios/ }))
    await userEvent.click(form.getByRole('button', { name: 'Criar chave' }))
    await screen.findByTestId('chave')
    expect(screen.queryAllByText(`${window.location.origin}/mcp`)).toHaveLength(mcp ? 1 : 0)
  },
)

test('the own keys page offers what only administrators may choose to them alone', async () => {
  const { unmount } = show()
  await userEvent.click(await screen.findByRole('button', { name: 'Criar chave' }))
  await screen.findByRole('checkbox', { name: /^Ver meus relatórios/ })
  expect(screen.queryByRole('checkbox', { name: /^Ler a auditoria/ })).toBeNull()
  unmount()
  tipoUsuario = 'ADMIN'
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Criar chave' }))
  await screen.findByRole('checkbox', { name: /^Ler a auditoria/ })
})

test('the own keys page revokes a key after a question', async () => {
  keys.chaves = [chave]
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Revogar Planilha' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Sim, revogar' }))
  await screen.findByText(/Você ainda não tem chaves/)
  expect(sent).toEqual([['DELETE', '/api/conta/chaves/3', undefined]])
})

test('the own keys page says that keys are switched off, and that the own ones do not work', async () => {
  keys = { podeCriar: false, mcp: false, chaves: [chave] }
  show()
  await screen.findByText('As chaves de API não estão liberadas para você')
  await screen.findByText(/Suas chaves não funcionam/)
  expect(screen.queryByRole('button', { name: 'Criar chave' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Revogar Planilha' })).toBeTruthy()
})
