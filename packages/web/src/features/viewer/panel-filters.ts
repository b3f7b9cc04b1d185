import type { ReportFilter } from '@bi-manager/contract'
import { TimeLimitError } from './time-limit.ts'

/** A select of the panel 'Filtrar Relatórios': what the address holds, what the person reads, what is sent. */
export interface PanelField {
  name: 'operadora' | 'sexo' | 'titularidade'
  label: string
  options: readonly { value: string; label: string; sent: string }[]
}

const asWritten = (value: string) => ({ value, label: value, sent: value })

export const panelFields: readonly PanelField[] = [
  {
    name: 'operadora',
    label: 'Operadora',
    options: ['BRADESCO', 'CNU', 'PARANA_CLINICAS', 'SANTA_CASA'].map(asWritten),
  },
  {
    name: 'sexo',
    label: 'Sexo',
    options: [
      { value: 'masculino', label: 'Masculino', sent: 'masculino' },
      { value: 'feminino', label: 'Feminino', sent: 'feminino' },
    ],
  },
  {
    name: 'titularidade',
    label: 'Titularidade',
    // The odd pairs are the specification's: the data holds the label in lower case.
    options: [
      { value: 'consulta', label: 'Dependente', sent: 'dependente' },
      { value: 'pronto-socorro', label: 'Titular', sent: 'titular' },
    ],
  },
]

/** The value chosen in each select; '' is the placeholder. */
export type PanelChoice = Record<PanelField['name'], string>

export const nothingChosen: PanelChoice = { operadora: '', sexo: '', titularidade: '' }

export interface PanelFilter {
  field: PanelField
  filter: ReportFilter
}

/** What the address asks for, and otherwise the report's own operadora; values outside the closed lists count for nothing. */
export const choiceFrom = (search: URLSearchParams, operadoraRelatorio: string): PanelChoice => {
  const choice = { ...nothingChosen }
  for (const field of panelFields) {
    const fallback = field.name === 'operadora' ? operadoraRelatorio : ''
    const wanted = search.get(field.name) ?? fallback
    if (optionOf(field, wanted)) choice[field.name] = wanted
  }
  return choice
}

/** The address for a choice. An operadora taken back stays as `operadora=`, or reopening would preselect it again. */
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

export const filtersOf = (choice: PanelChoice): PanelFilter[] =>
  panelFields.flatMap((field) => {
    const option = optionOf(field, choice[field.name])
    return option ? [{ field, filter: basicFilter(field.name, option.sent) }] : []
  })

export const without = (choice: PanelChoice, fields: readonly PanelField[]): PanelChoice => {
  const rest = { ...choice }
  for (const { name } of fields) rest[name] = ''
  return rest
}

export const missingSentence = (field: PanelField): string =>
  `Este relatório não tem o filtro ${field.label}.`

/**
 * Puts the chosen filters in force beside the report's own, which always stay. The provider refuses a whole list for
 * one unknown column without naming it, so after a refusal each is tried by itself.
 * @returns the fields whose column the report lacks.
 * @throws what the provider answered, when even the filters without the chosen ones are refused or time is up.
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
  // Also takes away what an earlier choice left, and tells a report without the column from one that is failing.
  if (missing.length === chosen.length) await setFilters(kept)
  return missing
}

const optionOf = (field: PanelField, value: string) => field.options.find((option) => option.value === value)

/** An `IBasicFilter` of powerbi-models (`filterType` 1 is FilterType.Basic), written out: the library loads lazily. */
const basicFilter = (column: string, value: string): ReportFilter => ({
  $schema: 'http://powerbi.com/product/schema#basic',
  target: { table: 'Sinistralidade', column },
  filterType: 1,
  operator: 'In',
  values: [value],
})
