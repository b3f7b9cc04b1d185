import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, problem } from '../../../../test/answers.ts'
import { startVisit } from '../../../lib/session/visit.ts'
import { GuestPage } from './guest-page.tsx'
import { openGuestReport } from './open-guest-report.ts'

vi.mock('./open-guest-report.ts', () => ({ openGuestReport: vi.fn(async () => undefined) }))

const visit = {
  nomeRelatorio: 'Sinistralidade',
  emailConvidado: 'auditora@externo.com.br',
  expiraEm: new Date(Date.now() + 8 * 3_600_000).toISOString(),
}

beforeEach(() => startVisit('visita_x'))
afterEach(() => {
  cleanup()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MantineProvider env="test">
        <MemoryRouter>
          <GuestPage />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )

const isOver = () => screen.findByRole('heading', { name: 'A visita terminou' })

test('the guest page shows the report below its name and the guest’s address, and says that the visit is over after Sair', async () => {
  const { of } = answerWith({
    'GET /api/visita': () => Response.json(visit),
    'POST /api/visita/sair': () => new Response(null, { status: 204 }),
  })
  show()
  await screen.findByRole('heading', { name: 'Sinistralidade' })
  await screen.findByText(/^auditora@externo\.com\.br · visita até /)
  expect(openGuestReport).toHaveBeenCalledOnce()
  await userEvent.click(screen.getByRole('button', { name: 'Sair' }))
  await isOver()
  expect(of('POST')).toMatchObject([{ headers: { Authorization: 'Bearer visita_x' } }])
})

test('the guest page says that the visit is over when the portal refuses it', async () => {
  answerWith({ 'GET /api/visita': () => problem(401, 'Sua visita terminou.') })
  show()
  await isOver()
})

test('the guest page says what is wrong when the network is not allowed, and keeps the visit', async () => {
  answerWith({ 'GET /api/visita': () => problem(403, 'Só das redes permitidas.') })
  show()
  await screen.findByRole('heading', { name: 'O relatório não pôde ser aberto' })
  expect(sessionStorage.getItem('bi-manager.visita')).toBe('visita_x')
})
