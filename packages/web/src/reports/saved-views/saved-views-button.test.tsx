import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { SavedViewsButton } from './saved-views-button.tsx'

test('the saved views button shows a failed download of its panel without ending the page', async () => {
  const client = new QueryClient()
  const offline = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
  const report = { show: async () => undefined, capture: async () => undefined }
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <SavedViewsButton report={report as never} idRelatorio={1} isLoaded loadPanel={offline} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Visões salvas' }))
  expect(await screen.findByText(/não puderam ser baixadas/)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Tentar novamente' })).toBeDefined()
})
