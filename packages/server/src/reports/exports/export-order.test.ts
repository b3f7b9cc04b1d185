import { type PanelChoice, panelFiltersOf, specifiedPanel } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { exportFilter, fileHeaders } from './export-order.ts'

const filtersOf = (choice: PanelChoice) => panelFiltersOf(specifiedPanel, choice)
const cnu = { operadora: 'CNU' }

test.each([
  ['undefined without filters', null, {}, undefined],
  ["the report's own", "T/a eq 'x'", {}, "T/a eq 'x'"],
  ["the panel's", null, cnu, "Sinistralidade/operadora eq 'CNU'"],
  [
    'both joined',
    "T/a eq 'x'",
    { ...cnu, sexo: 'feminino' },
    "T/a eq 'x' and Sinistralidade/operadora eq 'CNU' and Sinistralidade/sexo eq 'feminino'",
  ],
  [
    "the panel's part of the report's own",
    "Sinistralidade/operadora in ('CNU', 'BRADESCO')",
    cnu,
    "Sinistralidade/operadora eq 'CNU'",
  ],
  [
    "the panel's choice that an exclusion allows",
    "Sinistralidade/operadora ne 'BRADESCO'",
    cnu,
    "Sinistralidade/operadora eq 'CNU'",
  ],
])('the filter of an export is %s', (_, own, choice, expected) => {
  expect(exportFilter(own, filtersOf(choice))).toBe(expected)
})

test.each([
  ["for values outside the report's filter", "Sinistralidade/operadora eq 'BRADESCO'"],
  ["for values that the report's filter excludes", "Sinistralidade/operadora ne 'CNU'"],
])('the export order refuses an export when the panel asks %s, because the screen is empty too', (_, own) => {
  expect(() => exportFilter(own, filtersOf(cnu))).toThrow(
    expect.objectContaining({ codigo: 'exportacao_vazia' }),
  )
})

test("the export order encodes the report's name so that it cannot inject headers", () => {
  const name = 'Água "viva"\r\nX-Y: 1; (é*)\ud800'
  expect(fileHeaders(name, 'PDF')['content-disposition']).toMatch(
    /^attachment; filename="relatorio\.pdf"; filename\*=UTF-8''[\w%.!~-]+\.pdf$/,
  )
})
