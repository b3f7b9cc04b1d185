import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../session/session.ts'
import { listAddress } from './list-address.ts'
import { useListState } from './list-state.ts'

const session = (usuario_id: number) => ({
  ...signedInUntil(Date.now() + 600_000),
  usuario_id,
  pendencia: null,
})
const Router = ({ children }: { children: ReactNode }) => (
  <MemoryRouter initialEntries={['/usuario?busca=ana']}>{children}</MemoryRouter>
)

test('a list is left and found again with its search and page, but not by another user', () => {
  startSession(session(1))
  expect(listAddress('/usuario')).toBe('/usuario')
  const { result } = renderHook(() => useListState(['nomeUsuario']), { wrapper: Router })
  expect(listAddress('/usuario')).toBe('/usuario?busca=ana')
  act(() => result.current.goTo(3))
  expect(listAddress('/usuario')).toBe('/usuario?busca=ana&pagina=3')
  expect(listAddress('/workspace')).toBe('/workspace')
  startSession(session(2))
  expect(listAddress('/usuario')).toBe('/usuario')
})
