import { expect, test } from 'vitest'
import { nameIn, withName } from './definition-text.ts'

const text = '{\n  "id": "1",\n  "name": "Custos"\n}\n'

test('the name in a definition is read and replaced, and a broken text stays', () => {
  expect(nameIn(text)).toBe('Custos')
  expect(withName(text, 'Receitas')).toBe(text.replace('Custos', 'Receitas'))
  expect(nameIn(withName(text, 'Custos '))).toBe('Custos ')
  expect(nameIn('{"id": 1}')).toBe('')
  for (const broken of ['{"name": ', '[]', 'null', '"x"']) {
    expect(nameIn(broken)).toBeUndefined()
    expect(withName(broken, 'x')).toBe(broken)
  }
})
