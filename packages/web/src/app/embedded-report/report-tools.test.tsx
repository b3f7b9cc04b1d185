import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { aUser } from '../../../test/users.ts'
import { startSession } from '../../lib/session/session.ts'
import { ReportAsRoute } from './report-as-route.tsx'
import { ReportRoute } from './report-route.tsx'

const { happyDOM } = window as unknown as { happyDOM: { settings: Record<string, boolean> } }
happyDOM.settings.handleDisabledFileLoadingAsSuccess = true

const ids = '22222222-aaaa-4222-8222-222222222222/33333333-aaaa-4333-8333-333333333333'
const refusal = () =>
  Response.json(
    {
      type: 'about:blank',
      title: 'x',
      status: 403,
      detail: 'Você não tem permissão para ver este relatório.',
      codigo: 'relatorio_sem_permissao',
      idRequisicao: '1',
    },
    { status: 403, headers: { 'content-type': 'application/problem+json' } },
  )

beforeEach(() => {
  startSession(signedInUntil(Date.now() + 600_000))
  answerWith({
    'GET /api/portal': () => Response.json({ origemEmbed: 'http://localhost:4501', demonstracao: true }),
    'GET /api/usuarios/9': () => Response.json(aUser({ idUsuario: 9, nomeUsuario: 'Ana Martins' })),
    'GET /api/usuarios/pedidos-acesso': () => Response.json([]),
    'POST /api/usuarios/relatorio/embed': refusal,
    'POST /api/usuarios/9/ver-como/embed': refusal,
  })
})
afterEach(() => vi.unstubAllGlobals())

const show = (path: string) => {
  const router = createMemoryRouter(
    [
      { path: '/relatorio-embed/grupo/:groupId/:reportId', Component: ReportRoute },
      { path: '/permissoes/ver-como/:user/:groupId/:reportId', Component: ReportAsRoute },
    ],
    { initialEntries: [path] },
  )
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MantineProvider env="test">
        <RouterProvider router={router} />
      </MantineProvider>
    </QueryClientProvider>,
  )
}
const toolbar = async () => {
  const buttons = (await screen.findByRole('toolbar')).querySelectorAll('button')
  return [...buttons].map((button) => button.getAttribute('aria-label') ?? button.textContent)
}

test("the report's page adds alerts, subscriptions and the request for access", async () => {
  show(`/relatorio-embed/grupo/${ids}`)
  expect(await toolbar()).toEqual(expect.arrayContaining(['Criar alerta', 'Assinar']))
  expect(await screen.findByRole('button', { name: 'Pedir acesso' })).toBeDefined()
})

test("a report with another person's identity has none of them", async () => {
  show(`/permissoes/ver-como/9/${ids}`)
  expect(await toolbar()).toEqual(['Atualizar'])
  await screen.findByRole('alert')
  expect(screen.queryByRole('button', { name: 'Pedir acesso' })).toBeNull()
})
