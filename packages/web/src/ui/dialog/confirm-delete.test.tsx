import { ApiProblem } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConfirmDelete } from './confirm-delete.tsx'

const remove = vi.fn<(name: string) => Promise<void>>()
const onDeleted = vi.fn()

const Page = () => {
  const [target, setTarget] = useState<string>()
  return (
    <main>
      <h1>Itens</h1>
      <button type="button" onClick={() => setTarget('Vendas')}>
        Excluir Vendas
      </button>
      <ConfirmDelete
        target={target}
        onClose={() => setTarget(undefined)}
        question="Deseja mesmo excluir esse Item?"
        done="Item excluído!"
        nameOf={(name) => name}
        remove={remove}
        onDeleted={onDeleted}
      />
    </main>
  )
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const problem = (status: number, detail: string) => new ApiProblem(status, { codigo: 'x', detail })

beforeEach(async () => {
  vi.clearAllMocks()
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Page />
      </QueryClientProvider>
    </MantineProvider>,
  )
  screen.getByRole('button', { name: 'Excluir Vendas' }).focus()
  press('Excluir Vendas')
  await screen.findByRole('dialog', { name: 'Deseja mesmo excluir esse Item?' })
})

afterEach(() => void vi.useRealTimers())

test('Cancel deletes nothing', async () => {
  press('Não, cancelar')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(remove).not.toHaveBeenCalled()
})

test('the dialog reports the deletion only after the server confirms it, and stays open until then', async () => {
  let answer = () => {}
  remove.mockReturnValue(
    new Promise((resolve) => {
      answer = resolve
    }),
  )
  press('Sim, excluir')
  await waitFor(() => expect(remove.mock.calls[0]?.[0]).toBe('Vendas'))
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  expect(screen.getByRole('dialog', { name: 'Deseja mesmo excluir esse Item?' })).toBeDefined()
  expect(onDeleted).not.toHaveBeenCalled()
  answer()
  expect(await screen.findByRole('dialog', { name: 'Item excluído!' })).toBeDefined()
  expect(onDeleted).toHaveBeenCalledOnce()
  press('Fechar')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the dialog explains a refusal and offers only Close', async () => {
  remove.mockRejectedValue(problem(409, 'Este Item tem 3 relatórios. Exclua-os primeiro.'))
  press('Sim, excluir')
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Este Item tem 3 relatórios. Exclua-os primeiro.',
  )
  expect(screen.getByRole('dialog', { name: 'Não foi possível excluir' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Tentar novamente' })).toBeNull()
  expect(onDeleted).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Fechar' })).toBeDefined()
})

test('the dialog offers a retry after a temporary failure', async () => {
  remove.mockRejectedValueOnce(problem(503, 'Tente em instantes.')).mockResolvedValueOnce()
  press('Sim, excluir')
  fireEvent.click(await screen.findByRole('button', { name: 'Tentar novamente' }))
  expect(await screen.findByRole('dialog', { name: 'Item excluído!' })).toBeDefined()
})

test('the dialog treats an entity that another user has already deleted as deleted', async () => {
  remove.mockRejectedValue(problem(404, 'O que você procura não existe ou foi removido.'))
  press('Sim, excluir')
  expect(await screen.findByRole('alert')).toBeDefined()
  expect(onDeleted).toHaveBeenCalledOnce()
})

test('the success message closes after 6 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  remove.mockResolvedValue()
  press('Sim, excluir')
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(screen.getByRole('dialog', { name: 'Item excluído!' })).toBeDefined()
  await act(() => vi.advanceTimersByTimeAsync(5_900))
  expect(screen.getByRole('dialog', { name: 'Item excluído!' })).toBeDefined()
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(screen.queryByRole('dialog')).toBeNull()
})
