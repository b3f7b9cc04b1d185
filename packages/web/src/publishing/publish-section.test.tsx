import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../test/token.ts'
import { startSession } from '../lib/session/session.ts'
import { PublishSection } from './publish-section.tsx'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

const show = async () => {
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('/workspaces')
      ? Response.json([])
      : Response.json({ erros: [], avisos: [], idPowerBI: 1, idGrupo: null, reportId: null, previa: null }),
  )
  const section = (
    <PublishSection
      rascunho="0a5d9b1e-6c0f-4f4e-9d0e-5b8f4f2d7c11"
      outros={[]}
      proposal={'{"name":"Custos","pages":[]}'}
      explanation={[]}
      readAs={[]}
      tables={[]}
      hasMoments={false}
      Preview={() => null}
      onPublished={() => {}}
    />
  )
  const router = createMemoryRouter(
    [
      { path: '/publicar', element: section },
      { path: '*', element: <h1>Outra</h1> },
    ],
    { initialEntries: ['/publicar'] },
  )
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <RouterProvider router={router} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  await screen.findByDisplayValue('Custos')
  return router
}

test('the section asks before an adjusted report is left without being published', async () => {
  const router = await show()
  await userEvent.type(screen.getByLabelText('Nome do relatório'), ' 2026')
  await act(() => router.navigate('/outra'))
  expect(await screen.findByRole('dialog', { name: 'Sair sem publicar?' })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Continuar aqui' }))
  expect(screen.getByDisplayValue('Custos 2026')).toBeDefined()
  await act(() => router.navigate('/outra'))
  await userEvent.click(await screen.findByRole('button', { name: 'Sair sem publicar' }))
  expect(await screen.findByRole('heading', { name: 'Outra' })).toBeDefined()
})

test('the section leaves a mere proposal without a question', async () => {
  const router = await show()
  await act(() => router.navigate('/outra'))
  expect(await screen.findByRole('heading', { name: 'Outra' })).toBeDefined()
})
