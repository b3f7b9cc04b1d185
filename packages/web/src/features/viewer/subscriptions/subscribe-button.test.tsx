import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../../test/medical-records.ts'
import { someOptions } from '../../../../test/subscriptions.ts'
import { signedInUntil } from '../../../../test/token.ts'
import { startSession } from '../../../lib/session/session.ts'
import { SubscribeButton } from './subscribe-button.tsx'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

test('keeps what was typed while the report loads again', async () => {
  answerWith({
    'GET /api/usuarios/relatorio/7/assinaturas': () => Response.json([]),
    'GET /api/usuarios/relatorio/7/assinaturas/opcoes': () => Response.json(someOptions()),
    'GET /api/usuarios/relatorio/7/visoes': () => Response.json([]),
  })
  const capture = async () => ({ pagina: 'custos', marcador: null, isTooLong: false, filtros: {} })
  const report = { capture, pageTitle: async () => 'Custos' }
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const page = (state: Pick<ComponentProps<typeof SubscribeButton>, 'isLoaded' | 'idRelatorio'>) => {
    const element = <SubscribeButton report={report} nomeRelatorio="Sinistralidade" {...state} />
    return (
      <MantineProvider env="test">
        <QueryClientProvider client={client}>
          <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
        </QueryClientProvider>
      </MantineProvider>
    )
  }
  const { rerender } = render(page({ isLoaded: true, idRelatorio: 7 }))
  await userEvent.click(screen.getByRole('button', { name: 'Assinar' }))
  const subject = await screen.findByLabelText(/^Assunto/)
  await userEvent.clear(subject)
  await userEvent.type(subject, 'Minha carteira')
  rerender(page({ isLoaded: false, idRelatorio: undefined }))
  rerender(page({ isLoaded: true, idRelatorio: 7 }))
  expect(screen.getByLabelText<HTMLInputElement>(/^Assunto/).value).toBe('Minha carteira')
})
