import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useDialogTarget } from './use-dialog-target.ts'

test('useDialogTarget keeps the target while the dialog closes, and counts the openings', () => {
  const onOpen = vi.fn()
  const { result, rerender } = renderHook(({ target }) => useDialogTarget(target, onOpen), {
    initialProps: { target: undefined as string | undefined },
  })
  const seen = (target: string | undefined) => {
    rerender({ target })
    return [result.current.shown, result.current.opening, onOpen.mock.calls.length]
  }
  expect(seen(undefined)).toEqual([undefined, 0, 0])
  expect(seen('novo')).toEqual(['novo', 1, 1])
  // Another view within the same opening.
  expect(seen('editar')).toEqual(['editar', 1, 1])
  expect(seen(undefined)).toEqual(['editar', 1, 1])
  expect(seen('editar')).toEqual(['editar', 2, 2])
})
