import type { Report } from '@bi-manager/contract'
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useOwnVersion } from './use-own-version.ts'

const at = (versao: number) => ({ versao }) as Report
const own = () => renderHook(() => useOwnVersion()).result.current

test('useOwnVersion returns the version after own logo changes', () => {
  const { of, note } = own()
  note(at(3))(at(4))
  note(at(3))(at(5))
  expect(of(at(3))).toBe(5)
})

test("useOwnVersion returns the form's version after a change by another user, so that saving conflicts", () => {
  const { of, note } = own()
  note(at(3))(at(5))
  expect(of(at(3))).toBe(3)
})

test('useOwnVersion returns the version of a refetched report', () => {
  const { of, note } = own()
  note(at(3))(at(4))
  expect(of(at(7))).toBe(7)
})
