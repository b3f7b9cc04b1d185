import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listOf } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { PHONE } from '../../ui/folded-tools.tsx'
import { AuditPage } from './audit-page.tsx'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const show = ({ isPhone = false, address = '/auditoria' }) => {
  const { matchMedia } = window
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...matchMedia(query),
    matches: query === PHONE && isPhone,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  vi.stubGlobal('fetch', async () => listOf([]))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <MemoryRouter initialEntries={[address]}>
          <AuditPage />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
}

test('the audit page folds the filters of the phone into the options of the list', () => {
  show({ isPhone: true })
  expect(screen.queryByLabelText('O quê')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Opções' }))
  screen.getByLabelText('O quê')
})

test('the audit page shows the filters above the list elsewhere', () => {
  show({})
  screen.getByLabelText('O quê')
})

test('the audit page keeps the filters while the period is inverted', () => {
  show({ isPhone: true, address: '/auditoria?de=2026-03-02&ate=2026-03-01' })
  screen.getByText('Corrija o período para ver os registros.')
  fireEvent.click(screen.getByRole('button', { name: /^Opções/ }))
  screen.getByText('A data inicial é posterior à final.')
})
