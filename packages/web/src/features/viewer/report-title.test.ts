import { expect, test } from 'vitest'
import { titleOfSlug } from './report-title.ts'

test.each([
  ['bi-saude', 'Bi Saude'],
  ['custos-e-sinistralidade', 'Custos E Sinistralidade'],
  ['água-boa', 'Água Boa'],
  ['área--técnica-', 'Área Técnica'],
  ['RH', 'RH'],
])('%s becomes %s', (slug, title) => {
  expect(titleOfSlug(slug)).toBe(title)
})
