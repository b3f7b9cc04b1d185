import { z } from 'zod'
import { namedObject } from './endpoint.ts'
import { OPERADORAS } from './report-records.ts'
import type { ReportFilter } from './reports.ts'

/** A select of the panel 'Filtrar Relatórios': value in the address, label, value sent. */
export interface PanelField {
  name: 'operadora' | 'sexo' | 'titularidade'
  label: string
  options: readonly { value: string; label: string; sent: string }[]
}

const asWritten = (value: string) => ({ value, label: value, sent: value })

export const panelFields: readonly PanelField[] = [
  { name: 'operadora', label: 'Operadora', options: OPERADORAS.map(asWritten) },
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
    // The mismatched pairs follow the specification: the data holds the label in lower case.
    options: [
      { value: 'consulta', label: 'Dependente', sent: 'dependente' },
      { value: 'pronto-socorro', label: 'Titular', sent: 'titular' },
    ],
  },
]

const choiceAmong = (name: PanelField['name']) => {
  const values = panelFields.find((field) => field.name === name)?.options.map(({ value }) => value) ?? []
  return z.enum(['', ...values], 'Escolha uma opção da lista.').default('')
}

/** The value chosen in each select; '' when none is. */
export const PanelChoice = namedObject('PanelChoice', {
  operadora: choiceAmong('operadora'),
  sexo: choiceAmong('sexo'),
  titularidade: choiceAmong('titularidade'),
})
export type PanelChoice = z.infer<typeof PanelChoice>

export const emptyPanelChoice: PanelChoice = { operadora: '', sexo: '', titularidade: '' }

export interface PanelFilter {
  field: PanelField
  filter: ReportFilter
}

/** Returns the report filters of a choice; values outside the closed lists are ignored. */
export const panelFiltersOf = (choice: PanelChoice): PanelFilter[] =>
  panelFields.flatMap((field) => {
    const option = field.options.find(({ value }) => value === choice[field.name])
    return option ? [{ field, filter: basicFilter(field.name, option.sent) }] : []
  })

/** Returns an `IBasicFilter` of powerbi-models without the library (1: FilterType.Basic). */
const basicFilter = (column: string, value: string): ReportFilter => ({
  $schema: 'http://powerbi.com/product/schema#basic',
  target: { table: 'Sinistralidade', column },
  filterType: 1,
  operator: 'In',
  values: [value],
})
