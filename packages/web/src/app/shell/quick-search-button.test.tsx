import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { endSession, startSession } from '../../lib/session/session.ts'
import { QuickSearchButton } from './quick-search-button.tsx'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => {
  cleanup()
  endSession('saiu')
})

test("shows the shortcuts when '?' is pressed inside a report", async () => {
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
