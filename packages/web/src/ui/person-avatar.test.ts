import { expect, test } from 'vitest'
import { initialsOf } from './person-avatar.tsx'

test.each([
  ['Ana Maria de Souza', 'AS'],
  ['  marina   alves ', 'MA'],
  ['Água', 'Á'],
  ['👩‍⚕️ Rita', '👩R'],
  ['', ''],
])('%j has the initials %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
