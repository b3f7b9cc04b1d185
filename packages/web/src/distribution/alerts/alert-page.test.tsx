import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../test/answers.ts'
import { AlertPage } from './alert-page.tsx'

afterEach(() => vi.unstubAllGlobals())

test.each(['abc', '0', '-1', '1.5'])(
  'the alert page says without a call that no alert has the address %s',
  async (id) => {
    const server = answerWith({})
    const router = createMemoryRouter([{ path: '/alertas/:alerta', element: <AlertPage /> }], {
      initialEntries: [`/alertas/${id}`],
    })
    render(
      <MantineProvider env="test">
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>,
    )
    await screen.findByRole('heading', { name: 'Alerta não encontrado' })
    expect(server.sent).toEqual([])
  },
)
