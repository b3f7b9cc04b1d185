import { namedObject } from '../calls/endpoint.ts'
import { requiredLine } from '../calls/fields.ts'
import { z } from '../calls/zod.ts'

/** Maximum number of selects of a report's panel, and of options of one. */
export const MAX_PANEL_FILTERS = 8
export const MAX_PANEL_OPTIONS = 200

/** Numbers and conditions stay what they are: Power BI compares a column with its own type only. */
const PanelValue = z.union([requiredLine(100), z.number(), z.boolean()], {
  error: ({ code, errors }) => (code === 'invalid_union' ? errors[0]?.[0]?.message : undefined),
})
export type PanelValue = z.infer<typeof PanelValue>

/** A select of the panel 'Filtrar Relatórios', as its declaration names it. */
const shape = {
  tabela: requiredLine(100),
  coluna: requiredLine(100),
  rotulo: requiredLine(60),
  /** The options, in the order of the list; an empty label shows the value. */
  valores: z
    .array(z.object({ valor: PanelValue, rotulo: z.union([z.literal(''), requiredLine(100)]) }))
    .min(1, 'Informe ao menos um valor.')
    .max(MAX_PANEL_OPTIONS, `Use no máximo ${MAX_PANEL_OPTIONS} valores.`),
  /** The value that is chosen when the report opens; null for none. */
  padrao: PanelValue.nullable(),
}
export const DeclaredPanelFilter = namedObject('DeclaredPanelFilter', shape)
export type DeclaredPanelFilter = z.infer<typeof DeclaredPanelFilter>

/** A report's declared selects, in their order; an empty list hides the panel. */
export const DeclaredPanel = z
  .array(DeclaredPanelFilter)
  .max(MAX_PANEL_FILTERS, `Use no máximo ${MAX_PANEL_FILTERS} filtros.`)
  .superRefine((filters, context) => {
    filters.forEach((filter, index) => {
      const earlier = filters.slice(0, index)
      const say = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [index, field], message })
      if (earlier.some((other) => panelColumnKey(other) === panelColumnKey(filter)))
        say('coluna', `${filter.tabela}/${filter.coluna} já tem um filtro.`)
      if (earlier.some(({ rotulo }) => rotulo === filter.rotulo))
        say('rotulo', `Já existe um filtro ${filter.rotulo}.`)
      const fault = faultOfValues(filter)
      if (fault) say(...fault)
    })
  })

/** Names of tables and columns do not distinguish capitals, in Power BI as in DuckDB. */
export const panelColumnKey = ({ tabela, coluna }: Pick<DeclaredPanelFilter, 'tabela' | 'coluna'>): string =>
  `${tabela}/${coluna}`.toLowerCase()

const faultOfValues = ({
  valores,
  padrao,
}: DeclaredPanelFilter): ['valores' | 'padrao', string] | undefined => {
  const values = valores.map(({ valor }) => valor)
  const repeated = values.find((value, at) => values.findIndex((one) => String(one) === String(value)) < at)
  if (repeated !== undefined) return ['valores', `O valor ${repeated} se repete.`]
  if (new Set(values.map((value) => typeof value)).size > 1)
    return ['valores', 'Use só textos, só números ou só verdadeiro e falso.']
  if (padrao !== null && !values.includes(padrao)) return ['padrao', `${padrao} não está entre os valores.`]
  return undefined
}
