import { expect, test } from 'vitest'
import { isInheritedName, ownValue } from './own-value.ts'

const inherited = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__']

test.each(inherited)('ownValue finds %s only where it was put', (name) => {
  expect(ownValue({}, name)).toBeUndefined()
  expect(ownValue(undefined, name)).toBeUndefined()
  expect(ownValue(JSON.parse(`{ "${name}": 1 }`), name)).toBe(1)
})

test('isInheritedName knows every name of Object.prototype, and no other', () => {
  const names = Object.getOwnPropertyNames(Object.prototype)
  expect(names).toEqual(expect.arrayContaining(inherited))
  expect(names.filter((name) => !isInheritedName(name))).toEqual([])
  expect(['Constructor', 'total', ''].filter(isInheritedName)).toEqual([])
})
