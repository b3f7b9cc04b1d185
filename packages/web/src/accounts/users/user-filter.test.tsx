import { act, render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { type ListState, useListState } from '../../lib/lists/list-state.ts'
import { useUserFilter } from './user-filter.tsx'

let narrowing: ReturnType<typeof useUserFilter>
let list: ListState<'nomeUsuario'>

const Probe = () => {
  narrowing = useUserFilter()
  list = useListState(['nomeUsuario'])
  return null
}

const open = (search: string) => {
  const router = createMemoryRouter([{ path: '/usuario', Component: Probe }], {
    initialEntries: [`/usuario${search}`],
  })
  render(<RouterProvider router={router} />)
  return router
}

test('the user filter keeps filters and an order set in one tick, and returns to page 1', async () => {
  const router = open('?busca=ana&pagina=3')
  await act(async () => {
    narrowing.choose({ situacao: 'PENDENTE' })
    list.sortBy('nomeUsuario')
    narrowing.choose({ tipoUsuario: 'USER' })
    narrowing.choose({ emailComprovado: 'false' })
  })
  expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual({
    busca: 'ana',
    situacao: 'PENDENTE',
    tipoUsuario: 'USER',
    emailComprovado: 'false',
    ordem: 'nomeUsuario',
  })
  expect(narrowing.filter).toEqual({
    situacao: 'PENDENTE',
    tipoUsuario: 'USER',
    emailComprovado: 'false',
  })
})

test('the user filter removes a single filter, and Back restores it', async () => {
  const router = open('?busca=ana&situacao=ATIVO')
  await act(async () => narrowing.choose({ situacao: '' }))
  expect(router.state.location.search).toBe('?busca=ana')
  await act(() => router.navigate(-1))
  expect(narrowing.filter.situacao).toBe('ATIVO')
  await act(async () => narrowing.choose({ tipoUsuario: 'ADMIN' }))
  expect(router.state.location.search).toBe('?busca=ana&situacao=ATIVO&tipoUsuario=ADMIN')
})
