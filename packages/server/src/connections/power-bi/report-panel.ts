import { DeclaredPanel, type PanelField, panelColumnKey, panelFieldsOf } from '@bi-manager/contract'
import { z } from 'zod'

const value = z.union([z.string(), z.number(), z.boolean()])

const filters = z
  .array(
    z
      .object({
        table: z.string(),
        column: z.string(),
        label: z.string(),
        values: z.array(z.object({ value, label: z.string() })),
        default: value.nullish(),
      })
      .transform(({ table, column, label, values, default: padrao = null }) => ({
        tabela: table,
        coluna: column,
        rotulo: label,
        padrao,
        valores: values.map((option) => ({ valor: option.value, rotulo: option.label })),
      })),
  )
  .pipe(DeclaredPanel)

const columns = z.array(
  z
    .object({ table: z.string(), column: z.string() })
    .transform(({ table, column }) => panelColumnKey({ tabela: table, coluna: column })),
)

/**
 * What the local report service says about the panel of a report: the filters that its definition
 * declares, or else the columns that filters can name. Undefined for other reports, and for what
 * the portal cannot read: the report opens all the same.
 */
export const ReportPanel = z
  .object({ filters: filters.nullish().catch(undefined), columns: columns.nullish().catch(undefined) })
  .nullish()
  .catch(undefined)
export type ReportPanel = z.output<typeof ReportPanel>

interface RegisteredPanel {
  filtrosPainel: Parameters<typeof panelFieldsOf>[0]['declared']
  operadoraRelatorio: string
}

/** Returns the selects of a report's panel; what an administrator registered comes first. */
export const panelOf = (
  { filtrosPainel, operadoraRelatorio }: RegisteredPanel,
  panel: ReportPanel,
): PanelField[] =>
  panelFieldsOf({
    declared: filtrosPainel ?? panel?.filters,
    columns: panel?.columns ?? undefined,
    operadora: operadoraRelatorio,
  })
