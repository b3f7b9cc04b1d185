import { act, renderHook } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { countOf, useMemberMarks } from './members.ts'

const ana = { idUsuario: 7, nomeUsuario: 'Ana Souza', emailUsuario: 'ana@exemplo.com.br' }

const start = () => renderHook(useMemberMarks, { wrapper: MemoryRouter }).result

test('a user marked twice joins once, and can be unmarked', () => {
  const screen = start()
  act(() => screen.current.join(ana))
  act(() => screen.current.join(ana))
  expect([...screen.current.marks.joining.keys()]).toEqual([7])
  act(() => screen.current.dontJoin(ana))
  expect(countOf(screen.current.marks)).toBe(0)
})

test('a member marked to leave can be unmarked', () => {
  const screen = start()
  act(() => screen.current.leave(ana))
  expect([...screen.current.marks.leaving.keys()]).toEqual([7])
  act(() => screen.current.stay(ana))
  expect(countOf(screen.current.marks)).toBe(0)
})

test('many users join at once, each once, and those already marked stay', () => {
  const bia = { idUsuario: 8, nomeUsuario: 'Bia Lima', emailUsuario: 'bia@exemplo.com.br' }
  const screen = start()
  act(() => screen.current.join(ana))
  act(() => screen.current.joinAll([ana, bia]))
  expect([...screen.current.marks.joining.keys()]).toEqual([7, 8])
})

test('a save keeps what was marked meanwhile, and marks the other way what was unmarked meanwhile', () => {
  const [bia, caio, dora] = [8, 9, 10].map((idUsuario) => ({ ...ana, idUsuario }))
  if (!bia || !caio || !dora) throw new Error('three people')
  const screen = start()
  act(() => screen.current.join(ana))
  act(() => screen.current.join(bia))
  act(() => screen.current.leave(caio))
  const sent = screen.current.marks
  act(() => screen.current.dontJoin(bia))
  act(() => screen.current.stay(caio))
  act(() => screen.current.join(dora))
  act(() => screen.current.settle(sent))
  const { joining, leaving } = screen.current.marks
  expect([[...joining.keys()].toSorted(), [...leaving.keys()]]).toEqual([[10, 9], [8]])
})
