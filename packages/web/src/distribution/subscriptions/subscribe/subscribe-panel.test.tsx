import type { Subscription } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../../test/answers.ts'
import { aSubscription, someOptions } from '../../../../test/subscriptions.ts'
import { signedInUntil } from '../../../../test/token.ts'
import { startSession } from '../../../lib/session/session.ts'
import SubscribePanel from './subscribe-panel.tsx'

beforeEach(() => startSession({ ...signedInUntil(Date.now() + 600_000), usuario_id: 1, tipo: 'USER' }))
afterEach(() => vi.unstubAllGlobals())

const capture = async () => ({
  pagina: 'custos',
  marcador: 'selecao',
  isTooLong: false,
  filtros: { operadora: 'CNU' },
})

const open = (
  stored: Subscription[],
  pageTitle: () => Promise<string | undefined> = async () => 'Custos',
  captured = capture,
) => {
  const rows = [...stored]
  const server = answerWith({
    'GET /api/usuarios/relatorio/7/assinaturas': () => Response.json(rows),
    'GET /api/usuarios/relatorio/7/assinaturas/opcoes': () => Response.json(someOptions()),
    'GET /api/usuarios/relatorio/7/visoes': () => Response.json([]),
    'POST /api/usuarios/relatorio/7/assinaturas': () => {
      rows.push(aSubscription())
      return Response.json(aSubscription(), { status: 201 })
    },
    'DELETE /api/assinaturas/5': () => {
      rows.pop()
      return new Response(null, { status: 204 })
    },
  })
  const close = vi.fn()
  const element = (
    <SubscribePanel
      report={{ capture: captured, pageTitle, pageVisuals: async () => [{ nome: 'a', titulo: 'A' }] }}
      idRelatorio={7}
      nomeRelatorio="Sinistralidade"
      paginated={undefined}
      close={close}
    />
  )
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { server, close }
}

test('the subscribe panel shows the form at once to a person without subscriptions, then the new one', async () => {
  const { server } = open([])
  await userEvent.click(await screen.findByRole('button', { name: 'Assinar' }))
  expect(await screen.findByText(/^Assinatura criada\. Próximo envio: 30\/11\/2026 07:30\./)).toBeDefined()
  expect(server.of('POST')[0]?.body).toMatchObject({
    pagina: 'custos',
    tituloPagina: 'Custos',
    filtros: { operadora: 'CNU' },
    marcador: 'selecao',
  })
  await screen.findByRole('list', { name: 'Suas assinaturas deste relatório' })
})

test('the subscribe panel subscribes without the title of a page that the service does not tell', async () => {
  const { server } = open([], () => Promise.reject(new Error('Sem resposta.')))
  await userEvent.click(await screen.findByRole('button', { name: 'Assinar' }))
  await waitFor(() => expect(server.of('POST')).toHaveLength(1))
  expect(server.of('POST')[0]?.body).toMatchObject({ pagina: 'custos', tituloPagina: null })
})
