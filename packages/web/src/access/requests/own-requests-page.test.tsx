import type { OwnAccessRequest } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { OwnRequestsPage } from './own-requests-page.tsx'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

test('a request of one’s own names the report, its workspace and the answer', async () => {
  const request: OwnAccessRequest = {
    idPedido: 3,
    motivo: 'Fecho o mês com ele.',
    situacao: 'RECUSADO',
    criadoEm: '2026-11-20T12:00:00.000Z',
    respondidoEm: '2026-11-21T12:00:00.000Z',
    mensagem: 'Peça ao seu gestor.',
    groupId: '0b7a3d5e-93a0-4d0a-9a55-1c8a5c4f9b10',
    reportId: '5f0c1b2a-7f64-4a53-8c0e-6d3b2a1f0e9d',
    idRelatorio: 5,
    nomeRelatorio: 'Custos',
    nomeGrupo: 'Diretoria',
  }
  answerWith({ 'GET /api/meus-pedidos-acesso': () => Response.json([request]) })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <MemoryRouter>
          <OwnRequestsPage />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  expect((await screen.findByRole('link', { name: 'Custos' })).getAttribute('href')).toContain(
    '/diretoria/custos/',
  )
  const shown = screen.getByRole('list', { name: 'Pedidos' }).textContent
  expect(shown).toContain('Workspace Diretoria')
  expect(shown).toContain('Peça ao seu gestor.')
})
