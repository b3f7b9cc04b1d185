import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { currentSession } from '../../lib/session/session.ts'
import { storeProviderResponse } from './provider-return.ts'
import { ProviderReturnPage } from './provider-return-page.tsx'

/* The clock is ahead of the server's by more than the session's life, as in sign-in-form.test.tsx. */

const hours = 3_600_000
const serverTime = () => Date.now() - 20 * hours

beforeEach(() => {
  const attempt = { estado: 'e', nonce: 'n', verificador: 'v', destino: '/saidibi' }
  sessionStorage.setItem('bi-manager.entrada-oidc', JSON.stringify(attempt))
})
afterEach(() => vi.unstubAllGlobals())

/** Opens the page as the provider does. @param date of the server's answer; undefined: it has none */
const comeBack = (body: object, date?: string) => {
  const server = answerWith({
    'POST /api/login/oidc': () => Response.json(body, date ? { headers: { date } } : {}),
  })
  const router = createMemoryRouter(
    [
      { path: '/login/oidc', loader: storeProviderResponse, element: <ProviderReturnPage /> },
      { path: '/saidibi', element: <h1>Relatórios</h1> },
    ],
    { initialEntries: ['/login/oidc?code=c&state=e'] },
  )
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return server
}

test("the provider return page signs in by the server's clock, and opens the wanted page", async () => {
  const body = signedInUntil(serverTime() + 8 * hours)
  const { of } = comeBack(body, new Date(serverTime()).toUTCString())
  expect(await screen.findByRole('heading', { name: 'Relatórios' })).toBeDefined()
  expect(currentSession()?.access_token).toBe(body.access_token)
  expect(of('POST').map(({ body: sent }) => sent)).toEqual([
    { retorno: 'code=c&state=e', estado: 'e', nonce: 'n', verificador: 'v' },
  ])
})

test('the provider return page shows that the clock is wrong when the answer has no date, and offers another attempt', async () => {
  comeBack(signedInUntil(serverTime() + 8 * hours))
  expect(await screen.findByText(/^O relógio deste computador está errado/)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Tentar novamente' })).toBeDefined()
  expect(currentSession()).toBeUndefined()
})
