import { workspaceEntity } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { ConfirmDelete } from './confirm-delete.tsx'

interface Workspace {
  id: number
  nome: string
}
const remove = vi.fn(async () => undefined)

const Page = () => {
  const [target, setTarget] = useState<Workspace>()
  return (
    <main>
      <h1>Workspaces</h1>
      <button type="button" onClick={() => setTarget({ id: 12, nome: 'Vendas' })}>
        Excluir Vendas
      </button>
      <ConfirmDelete
        target={target}
        onClose={() => setTarget(undefined)}
        question="Deseja mesmo excluir esse Workspace?"
        done="Workspace excluído!"
        nameOf={({ nome }) => nome}
        blocked={{ by: workspaceEntity, idOf: ({ id }) => id }}
        remove={remove}
        onDeleted={() => undefined}
      />
    </main>
  )
}

/** Opens the dialog while the server gives these answers to the question for dependants. */
const open = (...answers: (Response | Promise<Response>)[]) => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  for (const answer of answers) fetched.mockImplementationOnce(async () => answer)
  remove.mockClear()
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <Page />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Excluir Vendas' }))
  return fetched
}
const reports = (total: number, names: string[]) =>
  Response.json([{ tipo: 'relatorio', total, registros: names.map((nome, at) => ({ id: at + 1, nome })) }])
const links = () => screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])

test('the dialog shows what prevents the deletion instead of asking for it', async () => {
  const fetched = open(reports(12, ['Custos 1', 'Custos 2']))
  expect(await screen.findByRole('dialog', { name: 'Não é possível excluir' })).toBeDefined()
  expect(String(fetched.mock.calls[0]?.[0])).toContain('/api/usuarios/workspace/12/dependentes')
  expect(screen.getByRole('alert').textContent).toContain('12 relatórios usam este Workspace, entre eles:')
  expect(links()).toEqual([
    ['Custos 1', '/RegisterworkspaceRelatorios/1'],
    ['Custos 2', '/RegisterworkspaceRelatorios/2'],
    ['Ver na lista', '/relatorio?idGrupoRelatorio=12'],
  ])
  expect(screen.queryByRole('button', { name: 'Sim, excluir' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Fechar' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(remove).not.toHaveBeenCalled()
})

test('the dialog names a single one in the singular', async () => {
  open(reports(1, ['Custos']))
  expect((await screen.findByRole('alert')).textContent).toContain('1 relatório usa este Workspace:')
})

test('the dialog asks for the confirmation when nothing prevents the deletion', async () => {
  open(Response.json([]))
  const confirm = await screen.findByRole('button', { name: 'Sim, excluir' })
  await waitFor(() => expect(confirm.getAttribute('aria-disabled')).toBeNull())
  fireEvent.click(confirm)
  expect(await screen.findByRole('dialog', { name: 'Workspace excluído!' })).toBeDefined()
  expect(remove).toHaveBeenCalledOnce()
})

test('the dialog confirms nothing while the server has not answered, and offers the deletion when it cannot', async () => {
  let refuse: (reason: Error) => void = () => undefined
  open(
    new Promise((_resolve, reject) => {
      refuse = reject
    }),
  )
  const confirm = await screen.findByRole('button', { name: 'Sim, excluir' })
  fireEvent.click(confirm)
  expect(remove).not.toHaveBeenCalled()
  refuse(new TypeError('offline'))
  await waitFor(() => expect(confirm.getAttribute('aria-disabled')).toBeNull())
  fireEvent.click(confirm)
  await waitFor(() => expect(remove).toHaveBeenCalledOnce())
})
