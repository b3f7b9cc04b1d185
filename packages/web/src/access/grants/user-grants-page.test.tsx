import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { rememberListAddress } from '../../lib/lists/list-address.ts'
import { startSession } from '../../lib/session/session.ts'
import { UserGrantsPage } from './user-grants-page.tsx'

const user = {
  idUsuario: 7,
  nomeUsuario: 'Ana Souza',
  emailUsuario: 'ana@exemplo.com.br',
  tipoUsuario: 'USER',
  situacao: 'ATIVO',
}
const groups = [
  { idGrupoRelatorio: 1, nomeGrupo: 'Custos', idGrupo: 'g1' },
  { idGrupoRelatorio: 2, nomeGrupo: 'Vazio', idGrupo: 'g2' },
]
const choices = ['Água', 'Banco'].map((nomeRelatorio, index) => ({
  idRelatorio: index + 1,
  nomeRelatorio,
  idGrupoRelatorio: 1,
  nomeGrupo: 'Custos',
  isChecked: index === 0,
}))

/** Stubbed responses by URL: this file tests timing; the end-to-end tests use the real server. */
const answers: [pattern: RegExp, body: unknown][] = [
  [/\/usuarios\/7$/, user],
  [/\/grupo-permissao/, groups],
  [/\/relatorio-usuario\/7\/1$/, choices],
  [/\/relatorio-usuario\/7\/2$/, []],
  [/\/usuarios\/workspace\/1$/, groups[0]],
  [/\/usuarios\/workspace\/2$/, groups[1]],
]
const scrolled = vi.fn()

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  scrolled.mockReset()
  Element.prototype.scrollIntoView = scrolled
  vi.stubGlobal('fetch', async (url: string) => {
    const [, body] = answers.find(([pattern]) => pattern.test(url)) ?? []
    return Response.json(body ?? {}, { status: body ? 200 : 404 })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const settle = (milliseconds = 0) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

const open = async (address = '/editrelatorio/7') => {
  const router = createMemoryRouter([{ path: '/editrelatorio/:user', Component: UserGrantsPage }], {
    initialEntries: [address],
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByText('Selecione o grupo deste perfil: Ana Souza')
  return router
}
const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Grupo' })
const choose = async (name: string) => {
  fireEvent.click(field())
  fireEvent.click(await screen.findByRole('option', { name }))
  fireEvent.click(screen.getByRole('button', { name: 'Buscar Relatórios' }))
}
const NOTHING = 'Não há relatórios cadastrados para esse usuário!'

test('the user grants page shows the reports and scrolls to their section half a second later', async () => {
  await open()
  await choose('Custos')
  await screen.findByRole('checkbox', { name: 'Água' })
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Água' }).checked).toBe(true)
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Banco' }).checked).toBe(false)
  expect(scrolled).not.toHaveBeenCalled()
  await settle(500)
  expect(scrolled).toHaveBeenCalledOnce()
  expect(scrolled.mock.contexts[0]).toBe(screen.getByRole('region', { name: 'Relatório' }))
  expect(screen.queryByText(NOTHING)).toBeNull()
})

test('the user grants page shows a message for 3 s without scrolling when the workspace has no reports', async () => {
  await open()
  await choose('Vazio')
  await screen.findByText(NOTHING)
  expect(screen.getByText('Não há relatórios cadastrados para esse usuários!')).toBeDefined()
  await settle(2_800)
  expect(screen.queryByText(NOTHING)).not.toBeNull()
  await settle(300)
  expect(screen.queryByText(NOTHING)).toBeNull()
  expect(scrolled).not.toHaveBeenCalled()
})

test('the user grants page resets the workspace and hides the section when the search text is cleared', async () => {
  const router = await open()
  await choose('Custos')
  await screen.findByRole('checkbox', { name: 'Água' })
  expect(router.state.location.search).toBe('?grupo=1')
  fireEvent.change(field(), { target: { value: '' } })
  await settle()
  expect(router.state.location.search).toBe('')
  expect(screen.queryByRole('region', { name: 'Relatório' })).toBeNull()
  expect(field().value).toBe('')
})

test('the user grants page opens the workspace of the URL without scrolling', async () => {
  await open('/editrelatorio/7?grupo=1')
  await screen.findByRole('checkbox', { name: 'Água' })
  await settle(1_000)
  expect(scrolled).not.toHaveBeenCalled()
  expect(field().value).toBe('Custos')
})

test('the user grants page links back to the list of users with its search', async () => {
  rememberListAddress({ pathname: '/usuario', search: '?busca=lopes' })
  await open()
  const back = screen.getByRole('link', { name: 'Usuários' })
  expect(back.getAttribute('href')).toBe('/usuario?busca=lopes')
  rememberListAddress({ pathname: '/usuario', search: '' })
})

test('the user grants page explains the words of the screen', async () => {
  await open()
  screen.getByText(/O grupo é um workspace.*“Perfil”, nesta tela, é a própria pessoa/)
})

test('the user grants page asks for a workspace when the button is pressed without one', async () => {
  await open()
  fireEvent.click(screen.getByRole('button', { name: 'Buscar Relatórios' }))
  expect(screen.getByText('Escolha um grupo na lista.')).toBeDefined()
})

test('the user grants page keeps the workspace of unsaved marks when the user declines to leave it', async () => {
  startSession(signedInUntil(Date.now() + 600_000))
  const router = await open()
  await choose('Custos')
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Banco' }))
  await settle(500)
  scrolled.mockReset()
  await choose('Vazio')
  fireEvent.click(await screen.findByRole('button', { name: 'Continuar editando' }))
  await settle(1_000)
  expect(router.state.location.search).toBe('?grupo=1')
  expect(screen.getByRole('region', { name: 'Relatório' }).textContent).toContain('Grupo: Custos')
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Banco' }).checked).toBe(true)
  expect(scrolled).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Salvar' }))
  await screen.findByRole('dialog', { name: 'Salvar as permissões de Ana Souza no grupo Custos?' })
})
