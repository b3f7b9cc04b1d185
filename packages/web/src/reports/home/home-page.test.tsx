import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { HomePage } from './home-page.tsx'

const { TZ } = process.env

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  process.env.TZ = 'Asia/Tokyo'
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  if (TZ === undefined) delete process.env.TZ
  else process.env.TZ = TZ
})

test.each([
  // The hour in Brasília, in Tokyo, the greeting and the day of the last sign-in.
  ['2026-11-26T12:30:00Z', 21, 'Bom dia', 'hoje, às 09:05'],
  ['2026-11-26T17:30:00Z', 2, 'Boa tarde', 'hoje, às 09:05'],
  ['2026-11-27T01:30:00Z', 10, 'Boa noite', 'hoje, às 09:05'],
  ['2026-11-27T03:30:00Z', 12, 'Boa noite', '26/11/2026, às 09:05'],
])('at %s, %i h in the browser, greeting and times are of Brasília', async (now, hour, words, time) => {
  vi.setSystemTime(now)
  expect(new Date().getHours()).toBe(hour)
  startSession(signedInUntil(Date.now() + 600_000))
  answerWith({
    'GET /api/login/usuario-atividade': () =>
      Response.json({ ultimoAcesso: '2026-11-26T12:05:00Z', relatoriosRecentes: [] }),
    'GET /api/usuarios/favoritos': () => Response.json([]),
    'GET /api/usuarios/menus': () => Response.json([]),
  })
  const router = createMemoryRouter([{ path: '/', element: <HomePage adminNotice={null} health={null} /> }])
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  expect(await screen.findByText(new RegExp(`Último acesso: ${time}\\.`))).toBeDefined()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(`${words}, Ana`)
})
