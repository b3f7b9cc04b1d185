import { act, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ListState, useListState } from './list-state.ts'

let state: ListState<'nome' | 'grupo'>

const Probe = ({ defaultOrder }: { defaultOrder?: 'nome' | '-nome' }) => {
  state = useListState(['nome', 'grupo'], defaultOrder)
  return (
    <input
      aria-label="busca"
      value={state.typed}
      onChange={(event) => state.type(event.currentTarget.value)}
    />
  )
}

const open = (address = '/lista') => {
  const router = createMemoryRouter([{ path: '/lista', Component: Probe }], { initialEntries: [address] })
  render(<RouterProvider router={router} />)
  return router
}
const searchOf = (router: ReturnType<typeof open>) => router.state.location.search
const type = (value: string) => fireEvent.change(screen.getByLabelText('busca'), { target: { value } })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the list reads the state from the address', () => {
  open('/lista?busca=vendas&pagina=3&tamanho=25&ordem=-nome')
  expect(state.query).toEqual({ busca: 'vendas', pagina: 3, tamanho: 25, ordem: '-nome' })
  expect(state.typed).toBe('vendas')
})

test.each(['?pagina=0&tamanho=7&ordem=senha', '?pagina=x&tamanho=&ordem=--nome', ''])(
  "the list falls back to the defaults for the address '%s'",
  (search) => {
    open(`/lista${search}`)
    expect(state.query).toEqual({ busca: undefined, pagina: 1, tamanho: 5, ordem: undefined })
  },
)

test('the list leaves defaults out of the address, and Back undoes a page and an order', async () => {
  const router = open()
  act(() => state.sortBy('nome'))
  act(() => state.goTo(2))
  expect(searchOf(router)).toBe('?ordem=nome&pagina=2')
  act(() => state.goTo(1))
  expect(searchOf(router)).toBe('?ordem=nome')
  await act(() => router.navigate(-2))
  expect(state.pagina).toBe(1)
  expect(searchOf(router)).toBe('?ordem=nome')
  await act(() => router.navigate(-1))
  expect(searchOf(router)).toBe('')
})

test("the list sorts a column ascending, descending, then in the server's order, and resets the page", () => {
  const router = open('/lista?pagina=4')
  const orders = [1, 2, 3].map(() => {
    act(() => state.sortBy('grupo'))
    return searchOf(router)
  })
  expect(orders).toEqual(['?ordem=grupo', '?ordem=-grupo', ''])
})

test("the first click on the server's sort column reverses it", () => {
  const router = createMemoryRouter([{ path: '/lista', element: <Probe defaultOrder="nome" /> }], {
    initialEntries: ['/lista'],
  })
  render(<RouterProvider router={router} />)
  expect([state.effectiveOrder, state.query.ordem]).toEqual(['nome', undefined])
  const orders = (['nome', 'nome', 'grupo', 'nome'] as const).map((field) => {
    act(() => state.sortBy(field))
    return searchOf(router)
  })
  expect(orders).toEqual(['?ordem=-nome', '', '?ordem=grupo', ''])
})

test('the first click on a column that the server sorts in descending order sorts it ascending', () => {
  const router = createMemoryRouter([{ path: '/lista', element: <Probe defaultOrder="-nome" /> }], {
    initialEntries: ['/lista'],
  })
  render(<RouterProvider router={router} />)
  const orders = (['nome', 'nome', 'grupo', 'grupo', 'grupo'] as const).map((field) => {
    act(() => state.sortBy(field))
    return searchOf(router)
  })
  expect(orders).toEqual(['?ordem=nome', '', '?ordem=grupo', '?ordem=-grupo', ''])
})

test('the list searches 300 ms after the last key on page 1 and replaces the history entry', async () => {
  const router = open('/lista?pagina=4')
  const steps = vi.fn()
  router.subscribe(({ historyAction, location }) => void steps(historyAction, location.search))
  type('s')
  await act(() => vi.advanceTimersByTimeAsync(200))
  type('são ')
  await act(() => vi.advanceTimersByTimeAsync(299))
  expect(steps).not.toHaveBeenCalled()
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(steps.mock.calls).toEqual([['REPLACE', '?busca=s%C3%A3o']])
  expect(state.typed).toBe('são ')
})

test('Back restores the earlier search in the field', async () => {
  const router = open('/lista?busca=antes')
  await act(() => router.navigate('/lista?busca=depois'))
  expect(state.typed).toBe('depois')
  await act(() => router.navigate(-1))
  expect(state.typed).toBe('antes')
})

test('the list remembers the page size on this device', async () => {
  const router = open()
  act(() => state.resize(25))
  expect(searchOf(router)).toBe('?tamanho=25')
  const next = open()
  expect(state.tamanho).toBe(25)
  expect(searchOf(next)).toBe('')
})

test('startOver clears the search, even one being typed, and the page; Back restores them', async () => {
  const router = open('/lista?busca=a&pagina=2&ordem=nome')
  type('ab')
  act(() => state.startOver())
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(searchOf(router)).toBe('?ordem=nome')
  expect(state.typed).toBe('')
  await act(() => router.navigate(-1))
  expect(searchOf(router)).toBe('?busca=a&pagina=2&ordem=nome')
  expect(state.typed).toBe('a')
})
