import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { endSession, startSession } from '../../lib/session/session.ts'
import { theme } from '../theme.ts'
import { QuickSearchButton } from './quick-search-button.tsx'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => {
  cleanup()
  endSession('saiu')
})

test("the quick search button shows the shortcuts when '?' is pressed inside a report", async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <MemoryRouter>
          <QuickSearchButton onSignOut={() => undefined} />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  act(() => void window.dispatchEvent(new CustomEvent('shortcuts')))
  expect(await screen.findByRole('dialog', { name: 'Atalhos do teclado' })).toBeDefined()
})

test('Ctrl+K opens the search in the moment after Escape, and takes what is typed', async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider theme={theme}>
        <MemoryRouter>
          <QuickSearchButton onSignOut={() => undefined} />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  const press = (keys: string) => userEvent.keyboard(keys)
  await press('{Control>}k{/Control}')
  expect(await screen.findByRole('dialog', { name: 'Busca rápida' })).toBeDefined()
  await waitFor(() => expect(document.activeElement?.tagName).toBe('INPUT'))
  await press('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  await press('{Control>}k{/Control}')
  await waitFor(() => expect(document.activeElement?.tagName).toBe('INPUT'))
  await press('vidas')
  expect(document.activeElement).toHaveProperty('value', 'vidas')
})

test("'?' shows the shortcuts in the moment after Escape has closed the search", async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider theme={theme}>
        <MemoryRouter>
          <QuickSearchButton onSignOut={() => undefined} />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  await userEvent.keyboard('{Control>}k{/Control}')
  await screen.findByRole('dialog', { name: 'Busca rápida' })
  await userEvent.keyboard('{Escape}')
  await userEvent.keyboard('?')
  expect(await screen.findByRole('dialog', { name: 'Atalhos do teclado' })).toBeDefined()
})
