import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { PdfPassword } from './pdf-password.tsx'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

const open = async (definida: boolean) => {
  const server = answerWith({
    'GET /api/conta/senha-pdf': () => Response.json({ definida }),
    'PUT /api/conta/senha-pdf': () => Response.json({ definida: true }),
    'DELETE /api/conta/senha-pdf': () => new Response(null, { status: 204 }),
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <PdfPassword />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByRole('form', { name: 'Senha dos PDFs' })
  return server
}

test('the password of PDFs sets a password, after saying what is wrong with it', async () => {
  const server = await open(false)
  const field = screen.getByLabelText('Senha dos PDFs', { selector: 'input' })
  await userEvent.type(field, 'relatório')
  await userEvent.click(screen.getByRole('button', { name: 'Definir' }))
  expect(await screen.findByText(/Use só letras sem acento/)).toBeDefined()
  expect(server.of('PUT')).toHaveLength(0)
  await userEvent.clear(field)
  await userEvent.type(field, 'lago azul 7')
  await userEvent.click(screen.getByRole('button', { name: 'Definir' }))
  await screen.findByText('Senha dos PDFs definida!')
  expect(server.of('PUT')[0]?.body).toEqual({ senha: 'lago azul 7' })
  expect(screen.getByLabelText<HTMLInputElement>('Nova senha dos PDFs').value).toBe('')
})

test('the password of PDFs takes a password back', async () => {
  const server = await open(true)
  await userEvent.click(screen.getByRole('button', { name: 'Retirar a senha' }))
  await screen.findByText('Senha dos PDFs retirada.')
  expect(server.of('DELETE')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Retirar a senha' })).toBeNull()
})
