import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { endSession, startSession } from '../../lib/session/session.ts'
import { useMarkAsReport } from '../../reports/viewer/report-on-page.ts'
import { type ClinicalPanelState, useClinicalPanel } from './panel-state.ts'

const REPORT = '/relatorio-embed/financeiro/custo/g/r'
const signIn = (person = 1) => startSession(signedInUntil(Date.now() + 3_600_000, { usuario_id: person }))

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  signIn()
})
afterEach(() => vi.useRealTimers())

const BoundPage = () => {
  useMarkAsReport(true)
  return null
}

const settle = () => act(() => vi.advanceTimersByTimeAsync(1_000))

let panel: ClinicalPanelState
const Shell = () => {
  panel = useClinicalPanel()
  return <Outlet />
}

const show = (at = REPORT, acessoProntuario = true) => {
  const client = new QueryClient()
  const now = new Date(Date.now() + 3_600_000).toISOString()
  const person = {
    idUsuario: 1,
    nomeUsuario: 'Helena',
    emailUsuario: 'h@x.br',
    tipoUsuario: 'ADMIN' as const,
    idResponsavel: 1,
    encarregadoDados: false,
    pendencia: null,
    temSenha: true,
    sessaoExpiraEm: now,
    sessaoOciosaEm: now,
  }
  const flag = (acesso: boolean) =>
    client.setQueryData(currentUserQuery.queryKey, { ...person, acessoProntuario: acesso })
  flag(acessoProntuario)
  const children = [
    { path: '/painel', element: <BoundPage /> },
    { path: '*', element: null },
  ]
  const router = createMemoryRouter([{ element: <Shell />, children }], { initialEntries: [at] })
  const { unmount } = renderHook(() => null, {
    wrapper: () => (
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    ),
  })
  const arrive = (path: string) => act(() => router.navigate(path))
  const go = async (path: string) => {
    await arrive(path)
    await settle()
  }
  return { arrive, go, unmount, flag: (acesso: boolean) => act(() => void flag(acesso)) }
}

test('the panel offers the panel next to a report only, and only with the access flag, whatever the role', async () => {
  const { go } = show()
  expect(panel).toMatchObject({ isOffered: true, view: 'closed' })
  await go('/saidibi')
  expect(panel.isOffered).toBe(false)
  await go('/painel')
  expect(panel.isOffered).toBe(true)
  show(REPORT, false)
  expect(panel).toMatchObject({ isOffered: false, view: 'closed' })
})

test('the panel stays open across reports and is minimised on other pages unless opened there', async () => {
  const { go } = show()
  act(() => panel.open())
  await go('/relatorio-embed/outro/g2/r2')
  expect(panel.view).toBe('open')
  await go('/saidibi')
  expect(panel.view).toBe('minimised')
  act(() => panel.open())
  expect(panel.view).toBe('open')
  await go('/meu-perfil')
  expect(panel.view).toBe('minimised')
  await go('/painel')
  expect(panel.view).toBe('open')
  act(() => panel.minimise())
  await go(REPORT)
  expect(panel.view).toBe('minimised')
  act(() => panel.close())
  expect(panel.view).toBe('closed')
})

test('the panel is not minimised while a page is still loading its report', async () => {
  const { arrive } = show()
  act(() => panel.open())
  await arrive('/saidibi')
  expect(panel.view).toBe('open')
  await settle()
  expect(panel.view).toBe('minimised')
})

test('the panel removes the panel when the access flag is revoked', async () => {
  const { flag } = show()
  act(() => panel.open())
  flag(false)
  await settle()
  expect(panel).toMatchObject({ isOffered: false, view: 'closed' })
})

test('the panel restores the panel after the session ended, for the same person only', () => {
  const minimisedAndOut = () => {
    const { unmount } = show()
    act(() => panel.open())
    act(() => panel.minimise())
    act(() => endSession('terminou'))
    unmount()
  }
  minimisedAndOut()
  signIn()
  const back = show()
  expect(panel.view).toBe('minimised')
  back.unmount()
  signIn(2)
  show()
  expect(panel.view).toBe('closed')
})
