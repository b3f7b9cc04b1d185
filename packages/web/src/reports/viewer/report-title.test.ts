import { expect, test } from 'vitest'
import { titleOfReport, titleOfSlug } from './report-title.ts'

test.each([
  ['bi-saude', 'Bi Saude'],
  ['custos-e-sinistralidade', 'Custos E Sinistralidade'],
  ['água-boa', 'Água Boa'],
  ['área--técnica-', 'Área Técnica'],
  ['RH', 'RH'],
])('titleOfSlug turns %s into %s', (slug, title) => {
  expect(titleOfSlug(slug)).toBe(title)
})

test.each([
  ['Banco Central avisa', undefined, 'Banco Central Avisa'],
  ['Banco Central avisa', 'Gestão de Saúde', 'Gestão De Saúde'],
  ['gestão-de-saúde', 'Gestão de Saúde', 'Gestão De Saúde'],
])('titleOfReport turns %s in the URL of a report in workspace %s into %s', (inAddress, workspace, title) => {
  expect(titleOfReport(inAddress, workspace)).toBe(title)
})
