import { namedObject } from '../calls/endpoint.ts'
import { ownValue } from '../calls/own-value.ts'
import { z } from '../calls/zod.ts'
import { type DeclaredPanelFilter, panelColumnKey } from './panel-declaration.ts'
import type { ReportFilter } from './report-filter.ts'
import { OPERADORAS } from './report-registrations.ts'

/** A select of the panel 'Filtrar Relatórios', as the viewer shows it. */
export const PanelField = namedObject('PanelField', {
  /** Its name in addresses and saved views. */
  nome: z.string(),
  rotulo: z.string(),
  tabela: z.string(),
  coluna: z.string(),
  /** The value in addresses and saved views, its label, and the value that the filter sends. */
  opcoes: z.array(
    z.object({
      valor: z.string(),
      rotulo: z.string(),
      enviado: z.union([z.string(), z.number(), z.boolean()]),
    }),
  ),
  /** The value that is chosen when the report opens; '' for none. */
  padrao: z.string(),
})
export type PanelField = z.infer<typeof PanelField>

const asWritten = (valor: string) => ({ valor, rotulo: valor, enviado: valor })

/** The panel of a report that declares none: the specification's three filters. */
export const specifiedPanel: readonly PanelField[] = [
  { nome: 'operadora', rotulo: 'Operadora', opcoes: OPERADORAS.map(asWritten) },
  {
    nome: 'sexo',
    rotulo: 'Sexo',
    opcoes: [
      { valor: 'masculino', rotulo: 'Masculino', enviado: 'masculino' },
      { valor: 'feminino', rotulo: 'Feminino', enviado: 'feminino' },
    ],
  },
  {
    nome: 'titularidade',
    rotulo: 'Titularidade',
    // The mismatched pairs follow the specification: the data holds the label in lower case.
    opcoes: [
      { valor: 'consulta', rotulo: 'Dependente', enviado: 'dependente' },
      { valor: 'pronto-socorro', rotulo: 'Titular', enviado: 'titular' },
    ],
  },
].map((field) => ({ ...field, tabela: 'Sinistralidade', coluna: field.nome, padrao: '' }))

interface PanelSource {
  /** Undefined or null: the report declares no panel. */
  declared?: readonly DeclaredPanelFilter[] | null | undefined
  /** Keys (`panelColumnKey`) of the columns of the report's dataset, where they are known. */
  columns?: readonly string[] | undefined
  /** Preselected where the panel offers it and declares no default. */
  operadora: string
}

/** Returns the selects of a report: the declared ones, or those of the specification that apply. */
export const panelFieldsOf = ({ declared, columns, operadora }: PanelSource): PanelField[] => {
  const fields =
    declared?.map(declaredField) ??
    specifiedPanel.filter((field) => columns?.includes(panelColumnKey(field)) ?? true)
  return fields.map((field) => {
    const isOpen = field.nome === 'operadora' && field.padrao === ''
    const preselected = isOpen ? panelOptionOf(field, operadora) : undefined
    return preselected ? { ...field, padrao: preselected.valor } : field
  })
}

const declaredField = ({ valores, padrao, ...declared }: DeclaredPanelFilter): PanelField => {
  const specified = specifiedPanel.find((field) => panelColumnKey(field) === panelColumnKey(declared))
  return {
    ...declared,
    // Links and saved views made before the declaration keep the name.
    nome: specified?.nome ?? `${declared.tabela}/${declared.coluna}`,
    opcoes: valores.map(({ valor, rotulo }) => ({
      valor: String(valor),
      rotulo: rotulo || textOf(valor),
      enviado: valor,
    })),
    padrao: padrao === null ? '' : String(padrao),
  }
}

const textOf = (value: string | number | boolean): string => {
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  return String(value)
}

/** Name → chosen value; a select that is left out, or '', has no choice. */
export const PanelChoice = z
  .record(
    z.string().regex(/^(?:operadora|sexo|titularidade|[^/\p{Cc}][^\p{Cc}]{0,99}\/[^\p{Cc}]{1,100})$/u),
    z
      .string()
      .max(100, 'Use no máximo 100 caracteres.')
      .regex(/^\P{Cc}*$/u, 'Retire os caracteres de controle.')
      .refine((text) => text.isWellFormed(), 'Retire os caracteres que não podem ser gravados.'),
  )
  .refine((choice) => Object.keys(choice).length <= MAX_CHOICES, 'São filtros demais.')
  .meta({ id: 'PanelChoice' })
export type PanelChoice = z.infer<typeof PanelChoice>

/** More than a panel has: a choice may name selects that the report no longer declares. */
const MAX_CHOICES = 20

export const emptyPanelChoice: PanelChoice = {}

export interface PanelFilter {
  field: PanelField
  filter: ReportFilter
}

/** Returns the value as the select names it; undefined when it does not offer it. */
export const panelOptionOf = ({ nome, opcoes }: PanelField, value: string | undefined) => {
  const option = opcoes.find(({ valor }) => valor === value)
  if (option) return option
  // A view saved before the declaration names the specification's value, such as 'consulta'.
  const specified = specifiedPanel.find((field) => field.nome === nome)?.opcoes
  const sent = specified?.find(({ valor }) => valor === value)?.enviado
  return opcoes.find(({ enviado }) => enviado === sent)
}

/** Returns the report filters of a choice; values that the panel does not offer are ignored. */
export const panelFiltersOf = (fields: readonly PanelField[], choice: PanelChoice): PanelFilter[] =>
  fields.flatMap((field) => {
    const option = panelOptionOf(field, ownValue(choice, field.nome))
    return option ? [{ field, filter: basicFilter(field, option.enviado) }] : []
  })

/** Returns an `IBasicFilter` of powerbi-models without the library (1: FilterType.Basic). */
const basicFilter = ({ tabela, coluna }: PanelField, value: string | number | boolean): ReportFilter => ({
  $schema: 'http://powerbi.com/product/schema#basic',
  target: { table: tabela, column: coluna },
  filterType: 1,
  operator: 'In',
  values: [value],
})
