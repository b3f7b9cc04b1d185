import { expect, test } from 'vitest'
import { allowedByRole } from './allowed-by-role.ts'

test.each([
  ['ADMIN', 'audit:read', true],
  ['USER', 'audit:read', false],
  ['USER', 'reports:view', true],
  [undefined, 'reports:view', false],
  ['ADMIN', 'records:access', undefined],
  ['USER', 'data-protection:manage', undefined],
] as const)('the role %s decides %s: %s', (tipo, permission, expected) => {
  expect(allowedByRole(tipo, permission)).toBe(expected)
})
