import { MantineProvider, useComputedColorScheme } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { endSession, startSession } from '../../lib/session/session.ts'
import { QuickSearch } from './quick-search.tsx'

const onShortcuts = vi.fn()
const onSignOut = vi.fn()

const Page = () => {
  const [opened, setOpened] = useState(true)
  return (
    <>
      <output>{useComputedColorScheme('light')}</output>
      <QuickSearch
        opened={opened}
        onClose={() => setOpened(false)}
        onShortcuts={onShortcuts}
        onSignOut={onSignOut}
      />
    </>
  )
}

const answers: Record<string, unknown> = {
  '/api/usuarios/sessao': { tipoUsuario: 'ADMIN', acessoProntuario: false, encarregadoDados: false },
}

beforeEach(() => {
  vi.clearAllMocks()
  startSession(signedInUntil(Date.now() + 600_000, { tipo: 'ADMIN' }))
  vi.stubGlobal('fetch', async (url: string) => Response.json(answers[url] ?? [], { status: 200 }))
})
afterEach(() => {
  vi.unstubAllGlobals()
  endSession('saiu')
})

const open = async (name = 'Buscar relatório, tela, pessoa ou ação') => {
  const router = createMemoryRouter([{ path: '*', Component: Page }], { initialEntries: ['/uso'] })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const field = await screen.findByRole('combobox', { name })
  return { router, field }
}
const take = async (text: string, label: string) => {
  const { router, field } = await open()
  await userEvent.type(field, text)
  await userEvent.click(await screen.findByRole('option', { name: label }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  return router
}

test('the quick search names no people to a USER, who finds none', async () => {
  startSession(signedInUntil(Date.now() + 600_000, { tipo: 'USER' }))
  await open('Buscar relatório, tela ou ação')
  expect(screen.queryByText(/pessoa/)).toBeNull()
})

test('the quick search lists the actions without a text', async () => {
  await open()
  const group = within(await screen.findByRole('group', { name: 'Ações' }))
  expect(group.getByRole('option', { name: 'Ajuda' })).toBeDefined()
})

test('the quick search opens the page of an action', async () => {
  const { state } = await take('manual', 'Ajuda')
  expect(state.location.pathname + state.location.search).toBe('/ajuda?tela=%2Fuso')
})

test('the quick search changes the theme', async () => {
  await take('tema', 'Trocar tema')
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('dark'))
})

test.each([
  ['sair', 'Sair', onSignOut],
  ['atalhos', 'Mostrar os atalhos do teclado', onShortcuts],
])('the quick search asks the shell for "%s" once the search is closed', async (text, label, heard) => {
  await take(text, label)
  await waitFor(() => expect(heard).toHaveBeenCalledOnce())
})
