import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { ReportAsPage } from './report-as-page.tsx'

afterEach(() => vi.unstubAllGlobals())

test('the page shows the outline of a report while the person loads', () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <MemoryRouter initialEntries={['/permissoes/ver-como/7/grupo/relatorio']}>
          <Routes>
            <Route
              path="/permissoes/ver-como/:user/:groupId/:reportId"
              element={<ReportAsPage useTools={() => ({ actions: [] })} />}
            />
          </Routes>
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  expect(container.querySelector('[aria-busy="true"] svg')).not.toBeNull()
})
