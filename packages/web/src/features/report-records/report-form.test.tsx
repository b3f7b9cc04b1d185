// @vitest-environment happy-dom
import type { Report } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../test/medical-records.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { ReportFormPage } from './report-form.tsx'

const report: Report = {
  idRelatorio: 7,
  idGrupoRelatorio: 3,
  nomeGrupo: 'Assistencial',
  nomeRelatorio: 'Sinistralidade',
  operadoraRelatorio: 'CNU',
  reportId: 'aaaaaaaa-0000-4000-8000-000000000001',
  filtro: null,
  papeisRls: [],
  logo: null,
  versao: 1,
}
const sentence = /nenhum foi escolhido.*não abre para ninguém/

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

const open = async (papeisRls: string[]) => {
  const server = answerWith({
    'GET /api/usuarios/relatorio/7': () => Response.json({ ...report, papeisRls }),
    'GET /api/usuarios/relatorio/7/papeis': () => Response.json({ temPapeis: true, exigePapeis: true }),
  })
  const router = createMemoryRouter([{ path: '/relatorio/:report', element: <ReportFormPage /> }], {
    initialEntries: ['/relatorio/7'],
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByDisplayValue('Sinistralidade')
  return server
}

test('warns that no role of the dataset is chosen until one is', async () => {
  await open([])
  expect((await screen.findByText(sentence)).getAttribute('role')).toBe('status')
  await userEvent.type(screen.getByPlaceholderText('Nome do papel no modelo'), 'Regional{Enter}')
  await waitFor(() => expect(screen.queryByText(sentence)).toBeNull())
})

test('neither warns nor requests the roles when a role is chosen', async () => {
  const server = await open(['Regional'])
  expect(screen.getByText('Regional')).toBeDefined()
  expect(screen.queryByText(sentence)).toBeNull()
  expect(server.sent.some(({ url }) => url.includes('papeis'))).toBe(false)
})
