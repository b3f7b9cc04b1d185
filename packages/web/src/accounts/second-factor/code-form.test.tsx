import { ApiProblem, MISSING } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { CodeForm } from './code-form.tsx'

const WRONG = 'Código incorreto.'
const refuse = async () => {
  throw new ApiProblem(422, { codigo: 'codigo_incorreto', detail: WRONG, campos: { codigo: WRONG } })
}

test('the error of the code goes away when another code is typed', async () => {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <CodeForm label="Código" input={{}} action="Ativar" onSubmit={refuse} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const field = screen.getByRole('textbox', { name: 'Código' })
  await userEvent.click(screen.getByRole('button', { name: 'Ativar' }))
  expect(screen.getByText(MISSING)).toBeDefined()
  await userEvent.type(field, '1')
  expect(screen.queryByText(MISSING)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Ativar' }))
  expect(await screen.findByText(WRONG)).toBeDefined()
  await userEvent.type(field, '2')
  expect(screen.queryByText(WRONG)).toBeNull()
})
