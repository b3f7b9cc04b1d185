import { describeFilter, filterValueText, type WordedFilter } from '@bi-manager/contract/filter-text'
import type { PlacedFilters } from '../frame/read-page.ts'

type Filter = NonNullable<PlacedFilters['filters']>[number]

/** Values of a filter that are listed; from more, all but three are counted. */
const MAX_VALUES = 100

/** Returns a line in Portuguese for each filter in force that readers may see. */
export const filterLines = (places: readonly PlacedFilters[]): string[] => {
  const lines = places.flatMap(({ slicer, visual, filters }) => {
    const prefix = visual === undefined ? '' : `Só em “${visual}”: `
    if (filters) return filters.filter(isVisible).flatMap((filter) => lineOf(filter, prefix, slicer))
    const what = slicer === undefined ? 'filtros' : `a escolha em “${slicer}”`
    return [`${prefix}o Power BI não informou ${what}`]
  })
  // A slicer's choice may be a filter of the page too.
  return [...new Set(lines)]
}

const lineOf = (filter: Filter, prefix: string, slicer: string | undefined): string[] => {
  const words = wordsOf(filter)
  return words === 'todos' ? [] : [`${prefix}${slicer ?? nameOf(filter)} ${words}`]
}

const isVisible = ({ displaySettings }: Filter) => displaySettings?.isHiddenInViewMode !== true

/** powerbi-models' FilterType. */
const types = { advanced: 0, basic: 1, unknown: 2, relativeDate: 4, topN: 5, relativeTime: 7 }
const worded = new Set<number>([types.advanced, types.basic, types.relativeDate, types.relativeTime])

const wordsOf = (filter: Filter): string => {
  const given = filter as Filter & Partial<Record<'values' | 'conditions' | 'timeUnitType', unknown>>
  const type = filter.filterType
  const isWorded =
    given.values !== undefined || given.conditions !== undefined || given.timeUnitType !== undefined
  if (worded.has(type) && isWorded)
    return describeFilter(given as unknown as WordedFilter, filterValueText, MAX_VALUES)
  if (type === types.topN) {
    const { operator, itemCount } = filter as unknown as { operator: string; itemCount: number }
    return `${operator === 'Bottom' ? 'os últimos' : 'os primeiros'} ${itemCount}`
  }
  return type === types.unknown ? 'tem um filtro que o Power BI não descreve' : 'itens escolhidos'
}

/** Returns the name that the report gives a filter, or that of its column, level or measure. */
const nameOf = ({ displaySettings, target }: Filter): string => {
  const targets: unknown[] = [target].flat(3)
  const names = targets.map((one) => {
    const { column, hierarchyLevel, measure } = (one ?? {}) as Record<string, unknown>
    return String(column ?? hierarchyLevel ?? measure ?? '')
  })
  return displaySettings?.displayName || names.filter(Boolean).join(' e ') || 'Filtro'
}
