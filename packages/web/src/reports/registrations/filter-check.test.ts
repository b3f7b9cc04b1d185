import { FILTER_EXPRESSION_EXAMPLE } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { checkFilter } from './filter-check.ts'

test('the filter check returns no targets for an empty filter', () => {
  expect(checkFilter('')).toEqual({ targets: [] })
  expect(checkFilter('  \n ')).toEqual({ targets: [] })
})

test('the filter check returns the columns of a valid filter', () => {
  expect(checkFilter(FILTER_EXPRESSION_EXAMPLE)).toEqual({ targets: ['Sinistralidade/operadora'] })
  expect(checkFilter(" Sinistralidade/sexo eq 'feminino' and Vidas/idade ge 60 ").targets).toEqual([
    'Sinistralidade/sexo',
    'Vidas/idade',
  ])
})

test("the filter check returns the contract's sentence with the position for an invalid filter", () => {
  expect(checkFilter("Sinistralidade/operadora eq 'CNU' e mais").fault).toBe(
    "Filtro inválido: esperava 'and' ou o fim na posição 34.",
  )
  expect(checkFilter('Sinistralidade').fault).toMatch(/^Filtro inválido: falta .+ no fim\.$/)
})
