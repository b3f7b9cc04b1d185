import type { ReportDefinition } from '../../definitions/definition.ts'

type PanelFilters = NonNullable<ReportDefinition['panelFilters']>

interface Checks {
  fail: (place: string, sentence: string) => void
  /** Checks a filter against the dataset. */
  check: (place: string, filter: PanelFilters[number]) => void
}

/** Checks what the portal requires of the selects of its panel. */
export function checkPanelFilters(filters: PanelFilters, { fail, check }: Checks) {
  const keyOf = ({ target }: PanelFilters[number]) => `${target.table}.${target.column}`.toLowerCase()
  filters.forEach((filter, index) => {
    const place = `panelFilters[${index}]`
    const earlier = filters.slice(0, index)
    if (earlier.some((other) => keyOf(other) === keyOf(filter))) fail(`${place}.target`, 'coluna repetida')
    if (earlier.some(({ label }) => label === filter.label))
      fail(`${place}.label`, `${filter.label} se repete`)
    const { values, default: preset } = filter
    if (new Set(values.map((value) => typeof value)).size > 1)
      fail(`${place}.values`, 'use só textos, só números ou só verdadeiro e falso')
    else check(place, filter)
    const repeated = values.find((value, at) => values.indexOf(value) < at)
    if (repeated !== undefined) fail(`${place}.values`, `${repeated} se repete`)
    if (preset !== undefined && !values.includes(preset))
      fail(`${place}.default`, `${preset} não está entre os valores`)
  })
}
