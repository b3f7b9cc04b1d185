import type { CapacityStatus } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { capacity, refusal } from '../../../test/capacity.ts'
import { StateSection } from './state-section.tsx'

afterEach(() => vi.unstubAllGlobals())

const status: CapacityStatus = {
  estado: 'PAUSADA',
  sku: 'F2',
  lidoEm: '2026-03-05T12:00:00.000Z',
  falha: null,
  naoPausada: null,
  proxima: null,
  usadaEm: null,
}

const show = (answer: (method: string) => Response | Promise<Response>) => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async (_: string, { method = 'GET' }: RequestInit) => answer(method)),
  )
  const client = new QueryClient()
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <StateSection capacity={capacity} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  return client
}

test('a state that can no longer be read stays, marked as perhaps outdated with the cause', async () => {
  let isAway = false
  const client = show(() => (isAway ? refusal('O portal não respondeu.') : Response.json(status)))
  await screen.findByText('Pausada')
  expect(screen.queryByText('O estado pode estar desatualizado')).toBeNull()
  isAway = true
  await client.refetchQueries()
  await screen.findByText('O estado pode estar desatualizado')
  expect(screen.getByText('O portal não respondeu.')).toBeTruthy()
  expect(screen.getByText('Pausada')).toBeTruthy()
  isAway = false
  await client.refetchQueries()
  await waitFor(() => expect(screen.queryByText('O estado pode estar desatualizado')).toBeNull())
})

test('the button of a change keeps the focus while the portal works', async () => {
  show((method) => (method === 'GET' ? Response.json(status) : new Promise(() => {})))
  await userEvent.click(await screen.findByRole('button', { name: 'Iniciar' }))
  const confirm = await screen.findByRole('button', { name: 'Sim, iniciar' })
  await userEvent.click(confirm)
  expect(confirm.getAttribute('aria-busy')).toBe('true')
  expect(confirm).toHaveProperty('disabled', false)
  expect(document.activeElement).toBe(confirm)
})
