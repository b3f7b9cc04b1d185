import type { Report } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { PublishedPanel } from './published-panel.tsx'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = (active: number, { lacksRole = false } = {}) => {
  vi.stubGlobal('fetch', async () => Response.json([], { headers: { 'x-total-count': String(active) } }))
  const report = { idRelatorio: 7, nomeRelatorio: 'Vendas', reportId: 'r' } as Report
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <PublishedPanel
            reports={[{ report, workspace: { nome: 'Área', idGrupo: 'g' }, lacksRole }]}
            people={0}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

test.each([
  ['the registration of people while the ADMIN is alone', 1, 'Cadastrar pessoas', '/cadastrar-usuario'],
  ['the permissions where there are people', 2, 'Dar permissão', '/searchRelatorio'],
])('the panel leads to %s', async (_, active, name, address) => {
  show(active)
  expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe(address)
})

test('the panel leads to the registration of a report that users cannot open without a role', () => {
  show(2, { lacksRole: true })
  screen.getByText(/ninguém pode abri-lo até que o cadastro tenha um dos papéis/)
  expect(screen.queryByRole('link', { name: 'Abrir relatório' })).toBeNull()
  const link = screen.getByRole('link', { name: 'Escolher papéis' })
  expect(link.getAttribute('href')).toBe('/RegisterworkspaceRelatorios/7')
})
