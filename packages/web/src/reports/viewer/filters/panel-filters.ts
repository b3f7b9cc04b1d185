import {
  emptyPanelChoice,
  ownValue,
  type PanelChoice,
  type PanelField,
  type PanelFilter,
  panelFiltersOf,
  panelOptionOf,
  type ReportFilter,
  specifiedPanel,
} from '@bi-manager/contract'
import { TimeLimitError } from '../problems/time-limit.ts'

export { emptyPanelChoice, type PanelChoice, type PanelField, panelFiltersOf as filtersOf }

/** What the messages name of a filter that the report lacks. */
export type NamedField = Pick<PanelField, 'nome' | 'rotulo'>

/** Returns the choice in the URL, or else the defaults; values that are not offered are ignored. */
export const choiceFrom = (search: URLSearchParams, fields: readonly PanelField[]): PanelChoice => {
  const choice: PanelChoice = {}
  for (const field of fields) {
    const option = panelOptionOf(field, search.get(field.nome) ?? field.padrao)
    if (option) choice[field.nome] = option.valor
  }
  return choice
}

/** Returns whether a URL parameter is a filter: a name of the specification, or 'table/column'. */
export const isFilterName = (name: string): boolean =>
  name.includes('/') || specifiedPanel.some(({ nome }) => nome === name)

/**
 * Returns the URL parameters for a choice. A cleared default stays as `operadora=`; without it, the
 * next opening would preselect it again.
 */
export const searchWith = (
  search: URLSearchParams,
  choice: PanelChoice,
  fields: readonly PanelField[],
): URLSearchParams => {
  const next = new URLSearchParams([...search].filter(([name]) => !isFilterName(name)))
  for (const { nome, padrao } of fields) {
    const value = ownValue(choice, nome) ?? ''
    if (value || padrao) next.set(nome, value)
  }
  return next
}

export const without = (choice: PanelChoice, fields: readonly NamedField[]): PanelChoice =>
  Object.fromEntries(Object.entries(choice).filter(([name]) => !fields.some(({ nome }) => nome === name)))

/** Returns the filters with a value, of a URL or a saved view, that the report's panel lacks. */
export const lackingFields = (
  choice: Iterable<readonly [name: string, value: string]>,
  fields: readonly PanelField[],
): NamedField[] =>
  [...choice]
    .filter(([name, value]) => value && isFilterName(name) && !fields.some(({ nome }) => nome === name))
    .map(([name]) => ({
      nome: name,
      rotulo: specifiedPanel.find(({ nome }) => nome === name)?.rotulo ?? name,
    }))

/** Returns the column of a filter as `table.column`. */
export const columnOf = ({ filter: { target } }: PanelFilter): string => `${target.table}.${target.column}`

export const missingSentence = ({ rotulo }: NamedField): string =>
  `Este relatório não tem o filtro ${rotulo}.`

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
