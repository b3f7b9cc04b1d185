import { nothingChosen } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { exportFilter, fileHeaders } from './export-order.ts'

const cnu = { ...nothingChosen, operadora: 'CNU' }

test.each([
  ['nothing', null, nothingChosen, undefined],
  ['the report’s own', "T/a eq 'x'", nothingChosen, "T/a eq 'x'"],
  ['the panel’s', null, cnu, "Sinistralidade/operadora eq 'CNU'"],
  [
    'both',
    "T/a eq 'x'",
    { ...cnu, sexo: 'feminino' },
    "T/a eq 'x' and Sinistralidade/operadora eq 'CNU' and Sinistralidade/sexo eq 'feminino'",
  ],
  [
    'a part of the own',
    "Sinistralidade/operadora in ('CNU', 'BRADESCO')",
    cnu,
    "Sinistralidade/operadora eq 'CNU'",
  ],
  [
    'what an exclusion leaves',
    "Sinistralidade/operadora ne 'BRADESCO'",
    cnu,
    "Sinistralidade/operadora eq 'CNU'",
  ],
])('the filter of an export is %s', (_, own, choice, expected) => {
  expect(exportFilter(own, choice)).toBe(expected)
})

test.each([
  ['asks for something else', "Sinistralidade/operadora eq 'BRADESCO'"],
  ['asks for what the own excludes', "Sinistralidade/operadora ne 'CNU'"],
])('nothing is exported where the panel %s: the screen is empty too', (_, own) => {
  expect(() => exportFilter(own, cnu)).toThrow(expect.objectContaining({ codigo: 'exportacao_vazia' }))
})

test('a report’s name cannot break out of the header', () => {
  const name = 'Água "viva"\r\nX-Y: 1; (é*)\ud800'
  expect(fileHeaders(name, 'PDF')['content-disposition']).toMatch(
    /^attachment; filename="relatorio\.pdf"; filename\*=UTF-8''[\w%.!~-]+\.pdf$/,
  )
})
