// @vitest-environment happy-dom
import type { Report } from '@bi-manager/contract'
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useOwnVersion } from './use-own-version.ts'

const at = (versao: number) => ({ versao }) as Report
const own = () => renderHook(() => useOwnVersion()).result.current

test('the form saves on top of its own logo changes', () => {
  const { of, note } = own()
  note(at(3))(at(4))
  note(at(3))(at(5))
  expect(of(at(3))).toBe(5)
})

test('where somebody else came between, the form keeps its version and is told of the conflict', () => {
  const { of, note } = own()
  note(at(3))(at(5))
  expect(of(at(3))).toBe(3)
})

test('a record read anew counts for itself', () => {
  const { of, note } = own()
  note(at(3))(at(4))
  expect(of(at(7))).toBe(7)
})
