import { FILTRO_EXAMPLE } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { checkFilter } from './filter-check.ts'

test('an empty filter is none', () => {
  expect(checkFilter('')).toEqual({ targets: [] })
  expect(checkFilter('  \n ')).toEqual({ targets: [] })
})

test('a good filter says what it acts on', () => {
  expect(checkFilter(FILTRO_EXAMPLE)).toEqual({ targets: ['Sinistralidade/operadora'] })
  expect(checkFilter(" Sinistralidade/sexo eq 'feminino' and Vidas/idade ge 60 ").targets).toEqual([
    'Sinistralidade/sexo',
    'Vidas/idade',
  ])
})

test('a bad filter is told in the words of the contract, with the place', () => {
  expect(checkFilter("Sinistralidade/operadora eq 'CNU' e mais").fault).toBe(
    "Filtro inválido: esperava 'and' ou o fim na posição 34.",
  )
  expect(checkFilter('Sinistralidade').fault).toMatch(/^Filtro inválido: falta .+ no fim\.$/)
})
