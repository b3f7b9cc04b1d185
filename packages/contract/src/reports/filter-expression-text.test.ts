import { describe, expect, test } from 'vitest'
import { reportFiltersText } from './filter-expression-text.ts'
import { emptyPanelChoice, panelFiltersOf, specifiedPanel } from './panel-filters.ts'
import { parseReportFilters } from './report-filter-expression.ts'

describe('reportFiltersText', () => {
  test.each([
    "Sinistralidade/operadora eq 'CNU'",
    "Sinistralidade/operadora in ('CNU', 'BRADESCO') and Sinistralidade/idade ge 18 and Sinistralidade/idade lt 60",
    "Plano_x0020_A/cidade ne 'Sant''Ana' and Plano_x0020_A/cidade ne 'São Paulo'",
    'T/ativo eq true and T/valor eq -1.5',
    "_x0031_a/_x005F_x0041_ eq ''",
  ])('reportFiltersText writes %s as parseReportFilters reads it', (expression) => {
    expect(reportFiltersText(parseReportFilters(expression))).toBe(expression)
  })

  test('reportFiltersText keeps a hostile value inside its quotes', () => {
    const [filter] = parseReportFilters("T/c eq 'x'")
    if (!filter) throw new Error('no filter')
    const hostile = { ...filter, values: ["' or T/c ne '"] }
    expect(parseReportFilters(reportFiltersText([hostile]))).toEqual([hostile])
  })

  test("reportFiltersText writes the panel's choice with the data's values, and nothing for empty fields", () => {
    const chosen = panelFiltersOf(specifiedPanel, { sexo: 'feminino', titularidade: 'consulta' })
    expect(reportFiltersText(chosen.map(({ filter }) => filter))).toBe(
      "Sinistralidade/sexo eq 'feminino' and Sinistralidade/titularidade eq 'dependente'",
    )
    expect(panelFiltersOf(specifiedPanel, emptyPanelChoice)).toEqual([])
  })
})
