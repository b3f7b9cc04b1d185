import { z } from 'zod'
import { basicOperators, conditionOperators } from '../filter-operators.ts'

/*
 * The two files an author writes, both JSON. docs/relatorios.md explains them with examples.
 *
 *   <data>/datasets/<name>/dataset.json      beside the CSV or Parquet files it names
 *   <data>/workspaces/<name>/workspace.json  beside the report files of that workspace
 *   <data>/workspaces/<name>/<report>.json
 */

/** A table or column name: letters, digits and underscore, so that it can be quoted without surprises. */
const Identifier = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, 'use letras, números e _ (até 63)')

/** SQL, in one string or one string a line. */
const Sql = z.union([
  z.string().min(1),
  z
    .array(z.string())
    .min(1)
    .transform((lines) => lines.join('\n')),
])

export const DatasetDefinition = z.strictObject({
  id: z.guid(),
  name: z.string().min(1).max(200),
  description: z.string().optional(),
  /** Table name → its file, beside dataset.json. A hidden table serves role predicates only; no visual may read it. */
  tables: z.record(
    Identifier,
    z.strictObject({
      file: z.string().regex(/^[\w.-]+\.(csv|parquet)$/, 'o nome de um arquivo .csv ou .parquet desta pasta'),
      hidden: z.boolean().default(false),
    }),
  ),
  /**
   * Row-level security. A role maps tables to predicates: DuckDB expressions over the table's columns, which may use
   * `$username` and `$customdata` (text or NULL). A table that the role does not name is seen whole. An identity with
   * several roles sees what any of them allows.
   */
  roles: z
    .array(z.strictObject({ name: z.string().min(1).max(128), rows: z.record(Identifier, Sql) }))
    .default([]),
  /** True: no embed token without an effective identity that names at least one role. */
  requiresIdentity: z.boolean().default(false),
})
export type DatasetDefinition = z.infer<typeof DatasetDefinition>

export const WorkspaceDefinition = z.strictObject({ id: z.guid(), name: z.string().min(1).max(200) })
export type WorkspaceDefinition = z.infer<typeof WorkspaceDefinition>

/** How the numbers of a column are written, in Brazilian Portuguese. `moeda` R$ 1.234,56; `moedaCurta` R$ 1,2 mi. */
export const ColumnFormat = z.enum([
  'inteiro',
  'decimal',
  'curto',
  'moeda',
  'moedaCurta',
  'percentual',
  'data',
  'mes',
  'texto',
])
export type ColumnFormat = z.infer<typeof ColumnFormat>

const Box = z.strictObject({
  x: z.number().min(0).max(1280),
  y: z.number().min(0).max(720),
  width: z.number().min(20).max(1280),
  height: z.number().min(20).max(720),
})

export const Target = z.strictObject({ table: Identifier, column: Identifier })
export type Target = z.infer<typeof Target>

/** Power BI's filter as it travels on the wire: basic (`filterType` 1) or advanced (`filterType` 0). */
const FilterValue = z.union([z.string(), z.number(), z.boolean(), z.null()])
export const BasicFilter = z.object({
  $schema: z.string().optional(),
  target: z.object({ table: z.string(), column: z.string() }),
  filterType: z.literal(1).optional(),
  operator: z.enum(basicOperators),
  values: z.array(FilterValue).max(10_000).default([]),
  requireSingleSelection: z.boolean().optional(),
  displaySettings: z.unknown().optional(),
})
export const AdvancedFilter = z.object({
  $schema: z.string().optional(),
  target: z.object({ table: z.string(), column: z.string() }),
  filterType: z.literal(0).optional(),
  logicalOperator: z.enum(['And', 'Or']),
  conditions: z
    .array(
      z.object({
        operator: z.enum(conditionOperators),
        value: FilterValue.optional(),
      }),
    )
    .min(1)
    .max(2, 'um filtro avançado tem no máximo duas condições'),
  displaySettings: z.unknown().optional(),
})
export const Filter = z.union([BasicFilter, AdvancedFilter])
export type Filter = z.infer<typeof Filter>

export const VisualDefinition = z.strictObject({
  name: Identifier,
  type: z.enum(['card', 'line', 'bar', 'column', 'donut', 'table']),
  title: z.string().min(1).max(120),
  subtitle: z.string().max(200).optional(),
  /** Place on the 1280 × 720 canvas. */
  layout: Box,
  /** One SELECT over the dataset's tables. Its rows feed the visual; the filters in force restrict the tables it reads. */
  query: Sql,
  /** Result column → how to write it. */
  format: z.record(z.string(), ColumnFormat).default({}),
  /** Result column → heading (tables) or series name. */
  labels: z.record(z.string(), z.string()).default({}),
  /**
   * An Apache ECharts option, merged over the house style of the type; `dataset` is set from the query's rows, so series
   * use `encode`. Strings only, never code. Cards: `{ "detail": "column", "trend": "column" }` instead (see docs).
   */
  option: z.record(z.string(), z.unknown()).default({}),
  /** What a click on a data point selects (the `dataSelected` event): the column of the model, and of the result. */
  select: z.strictObject({ target: Target, column: z.string() }).optional(),
})
export type VisualDefinition = z.infer<typeof VisualDefinition>

export const PageDefinition = z.strictObject({
  name: Identifier,
  displayName: z.string().min(1).max(80),
  filters: z.array(Filter).default([]),
  visuals: z.array(VisualDefinition).min(1).max(40),
})
export type PageDefinition = z.infer<typeof PageDefinition>

export const ReportDefinition = z.strictObject({
  id: z.guid(),
  name: z.string().min(1).max(200),
  description: z.string().max(500).optional(),
  /** The dataset's id. */
  dataset: z.guid(),
  /** A line shown on every page, such as the notice that the numbers are fictitious. */
  notice: z.string().max(200).optional(),
  /**
   * How values of the data are shown, on every visual and in the filters: value → its name and its place (1 to 8) among
   * the house colours. Series are found by their name. Filters and events keep the value itself.
   */
  values: z
    .record(
      z.string(),
      z.strictObject({
        label: z.string().min(1).max(100).optional(),
        color: z.number().int().min(1).max(8).optional(),
      }),
    )
    .optional(),
  /** Columns that the filter pane offers. */
  filterPane: z.array(z.strictObject({ target: Target, label: z.string().min(1).max(60) })).default([]),
  filters: z.array(Filter).default([]),
  pages: z.array(PageDefinition).min(1).max(30),
})
export type ReportDefinition = z.infer<typeof ReportDefinition>
