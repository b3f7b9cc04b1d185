import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { type ListState, useListState } from '../../lib/lists/list-state.ts'
import { useGroupFilter } from './use-group-filter.ts'

let group: ReturnType<typeof useGroupFilter>
let list: ListState<'nomeRelatorio'>

const Probe = () => {
  group = useGroupFilter()
  list = useListState(['nomeRelatorio'])
  return null
}

test('useGroupFilter keeps a workspace and an order chosen in one tick, and returns to page 1', async () => {
  const router = createMemoryRouter([{ path: '/relatorio', Component: Probe }], {
    initialEntries: ['/relatorio?busca=vendas&pagina=3'],
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await act(async () => {
    list.sortBy('nomeRelatorio')
    group.choose({ value: 9, label: 'Diretoria' })
  })
  expect(router.state.location.search).toBe('?busca=vendas&ordem=nomeRelatorio&idGrupoRelatorio=9')
  expect(group.value).toEqual({ value: 9, label: 'Diretoria' })
  await act(async () => group.choose(null))
  expect([router.state.location.search, group.id]).toEqual(['?busca=vendas&ordem=nomeRelatorio', undefined])
})
