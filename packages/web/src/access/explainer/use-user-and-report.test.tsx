import { act, render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { useUserAndReport } from './use-user-and-report.ts'

let pair: ReturnType<typeof useUserAndReport>

const Probe = () => {
  pair = useUserAndReport()
  return null
}

test('useUserAndReport keeps a user and a report chosen in one tick', async () => {
  const router = createMemoryRouter([{ path: '/permissoes/porque', Component: Probe }], {
    initialEntries: ['/permissoes/porque?relatorio=4'],
  })
  render(<RouterProvider router={router} />)
  await act(async () => {
    pair.choose('usuario', 7)
    pair.choose('relatorio', 5)
  })
  expect(router.state.location.search).toBe('?relatorio=5&usuario=7')
  await act(async () => pair.choose('relatorio', undefined))
  expect([pair.usuario, pair.relatorio]).toEqual([7, undefined])
})
