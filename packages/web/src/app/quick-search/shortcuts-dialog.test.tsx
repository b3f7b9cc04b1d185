import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { endSession, startSession } from '../../lib/session/session.ts'
import { PageSearch } from '../../ui/page-search/page-search.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'

afterEach(() => endSession('saiu'))

const show = (tipo: 'ADMIN' | 'USER', hasSearch: boolean) => {
  startSession(signedInUntil(Date.now() + 600_000, { tipo }))
  const page = (opened: boolean) => (
    <MantineProvider env="test">
      <MemoryRouter>
        {hasSearch && <PageSearch label="Buscar" value="" onChange={() => undefined} />}
        <ShortcutsDialog opened={opened} onClose={() => undefined} />
      </MemoryRouter>
    </MantineProvider>
  )
  render(page(false)).rerender(page(true))
}
const QUICK_SEARCH = /^Busca rápida de/

test('the shortcuts dialog lists the search of the page, and people for an ADMIN', () => {
  show('ADMIN', true)
  expect(screen.getByText('Buscar na página')).toBeDefined()
  expect(screen.getByText(QUICK_SEARCH).textContent).toContain('relatórios, telas, pessoas e ações')
})

test('the shortcuts dialog lists no search on a page without one, and no people for a USER', () => {
  show('USER', false)
  expect(screen.queryByText('Buscar na página')).toBeNull()
  expect(screen.getByText(QUICK_SEARCH).textContent).toContain('relatórios, telas e ações')
})
