import { MISSING } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { SavedViewForm } from './saved-view-form.tsx'

const nothing = () => undefined
const fail = async () => {
  throw new Error('O relatório não respondeu.')
}

test('the error of the name goes away when the name is typed', async () => {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <SavedViewForm idRelatorio={7} capture={fail} onSaved={nothing} onCancel={nothing} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Nome da visão' })
  const save = screen.getByRole('button', { name: 'Salvar' })
  await userEvent.click(save)
  expect(screen.getByText(MISSING)).toBeDefined()
  await userEvent.type(field, 'M')
  expect(screen.queryByText(MISSING)).toBeNull()
  await userEvent.click(save)
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await userEvent.type(field, 'ês')
  expect(field.getAttribute('aria-invalid')).not.toBe('true')
})
