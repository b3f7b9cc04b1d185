import {
  emptyPanelChoice,
  type PanelChoice,
  type PanelField,
  type PanelFilter,
  panelFields,
  panelFiltersOf,
  type ReportFilter,
} from '@bi-manager/contract'
import { TimeLimitError } from '../problems/time-limit.ts'

export { emptyPanelChoice, type PanelChoice, type PanelField, panelFields, panelFiltersOf as filtersOf }

/**
 * Returns the choice in the URL, with the report's operadora as default. Values outside the closed
 * lists are ignored.
 */
export const choiceFrom = (search: URLSearchParams, operadoraRelatorio: string): PanelChoice => {
  const choice = { ...emptyPanelChoice }
  for (const field of panelFields) {
    const fallback = field.name === 'operadora' ? operadoraRelatorio : ''
    const wanted = search.get(field.name) ?? fallback
    if (optionOf(field, wanted)) choice[field.name] = wanted
  }
  return choice
}

/**
 * Returns the URL parameters for a choice. A cleared operadora stays as `operadora=`; without it,
 * the next opening would preselect the report's own.
 */
export const searchWith = (
  search: URLSearchParams,
  choice: PanelChoice,
  operadoraRelatorio: string,
): URLSearchParams => {
  const next = new URLSearchParams(search)
  for (const { name } of panelFields) {
    if (choice[name]) next.set(name, choice[name])
    else next.delete(name)
  }
  const preselected = choiceFrom(new URLSearchParams(), operadoraRelatorio).operadora
  if (preselected && !choice.operadora) next.set('operadora', '')
  return next
}

export const without = (choice: PanelChoice, fields: readonly PanelField[]): PanelChoice => {
  const rest = { ...choice }
  for (const { name } of fields) rest[name] = ''
  return rest
}

/** Returns the column of a filter as `table.column`. */
export const columnOf = ({ filter: { target } }: PanelFilter): string => `${target.table}.${target.column}`

export const missingSentence = (field: PanelField): string =>
  `Este relatório não tem o filtro ${field.label}.`

/**
 * Applies the chosen filters in addition to the report's own. The provider refuses the whole list
 * for one unknown column without naming it, so after a refusal each filter is tried separately.
 * @returns the fields whose column the report lacks
 * @throws the provider's error when it refuses even the report's own filters; TimeLimitError
 */
export const applyFilters = async (
  setFilters: (filters: ReportFilter[]) => Promise<void>,
  own: readonly ReportFilter[],
  chosen: readonly PanelFilter[],
): Promise<PanelField[]> => {
  const accepts = async (filters: ReportFilter[]) => {
    try {
      await setFilters(filters)
      return true
    } catch (error) {
      if (error instanceof TimeLimitError) throw error
      return false
    }
  }
  if (chosen.length === 0) {
    await setFilters([...own])
    return []
  }
  if (await accepts([...own, ...chosen.map(({ filter }) => filter)])) return []
  const kept: ReportFilter[] = [...own]
  const missing: PanelField[] = []
  for (const { field, filter } of chosen) {
    if (chosen.length > 1 && (await accepts([...kept, filter]))) kept.push(filter)
    else missing.push(field)
  }
  // Removes an earlier choice, and rejects when the report itself fails rather than lacks a column.
  if (missing.length === chosen.length) await setFilters(kept)
  return missing
}

const optionOf = (field: PanelField, value: string) => field.options.find((option) => option.value === value)
