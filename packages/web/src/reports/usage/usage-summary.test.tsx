import type { UsageSummary } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { UsageSummarySection } from './usage-summary.tsx'

afterEach(() => vi.unstubAllGlobals())

const summary: UsageSummary = {
  de: '2026-11-20',
  ate: '2026-11-26',
  visualizacoes: 3,
  paginas: 0,
  erros: 0,
  p50: 900,
  p95: 900,
  leitores: 1,
  incompleto: false,
  porMes: false,
  serie: [{ inicio: '2026-11-26', visualizacoes: 3, leitores: 1, erros: 0 }],
}

test.each([
  [true, 1],
  [false, 0],
])('the page says that older views are missing: %s', async (incompleto, notices) => {
  vi.stubGlobal('fetch', async () => Response.json({ ...summary, incompleto }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <UsageSummarySection days={7} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  await screen.findByText('Leitores', { selector: 'dt' })
  expect(screen.queryAllByText('Números incompletos')).toHaveLength(notices)
})
