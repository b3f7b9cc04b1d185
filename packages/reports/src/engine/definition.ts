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

export const CsvType = z.enum(['text', 'integer', 'number', 'date', 'timestamp', 'boolean'])
export type CsvType = z.infer<typeof CsvType>

/** How a CSV file is written, where it should not be found out. */
export const CsvOptions = z.strictObject({
  delimiter: z.enum([';', ',', '\t', '|']).optional(),
  /** The other one of comma and point parts thousands. */
  decimal: z.enum([',', '.']).optional(),
  encoding: z.enum(['utf-8', 'windows-1252']).optional(),
  /** Column → type; a value that is not of it is a fault. `text` keeps zeros in front. */
  types: z.record(z.string(), CsvType).optional(),
})
export type CsvOptions = z.infer<typeof CsvOptions>

const DatasetFields = z.strictObject({
  id: z.guid(),
  name: z.string().min(1).max(200),
  description: z.string().optional(),
  /** Table name → its file, beside dataset.json. A hidden table serves role predicates only; no visual may read it. */
  tables: z.record(
    Identifier,
    z.strictObject({
      file: z.string().regex(/^[\w.-]+\.(csv|parquet)$/, 'o nome de um arquivo .csv ou .parquet desta pasta'),
      hidden: z.boolean().default(false),
      csv: CsvOptions.optional(),
    }),
  ),
  /**
   * Tables summed up once, when the data is loaded. A visual that reads of a table only columns of `by`, and those of `sums`
   * only inside `sum(…)`, is answered from the summary: the same numbers, from far fewer rows.
   */
  summaries: z
    .array(
      z.strictObject({
        of: Identifier,
        by: z.array(Identifier).min(1).max(20),
        sums: z.array(Identifier).max(20).default([]),
      }),
    )
    .max(20)
    .default([]),
  /**
   * Row-level security. A role maps tables to predicates: DuckDB expressions over the table's columns, which may use
   * `$username` and `$customdata` (text or NULL). A table that the role does not name is seen whole. An identity with
   * several roles sees what any of them allows.
   */
  roles: z
    .array(z.strictObject({ name: z.string().min(1).max(128), rows: z.record(Identifier, Sql) }))
    .default([]),
  /** True: no embed token without an effective identity that names at least one role. */
  requiresIdentity: z.boolean().optional(),
})
/** Roles require an identity unless the author says otherwise: a report without a role would show every row. */
export const DatasetDefinition = DatasetFields.transform(({ requiresIdentity, ...dataset }) => ({
  ...dataset,
  requiresIdentity: requiresIdentity ?? dataset.roles.length > 0,
}))
export type DatasetDefinition = z.infer<typeof DatasetDefinition>

export const WorkspaceDefinition = z.strictObject({ id: z.guid(), name: z.string().min(1).max(200) })
export type WorkspaceDefinition = z.infer<typeof WorkspaceDefinition>

/** How the numbers of a column are written, in Brazilian Portuguese. `moeda` R$ 1.234,56; `moedaCurta` R$ 1,2 mi. */
export const ColumnFormat = z.enum([
  'inteiro',
  'decimal',
  'decimal1',
  'decimal2',
  'curto',
  'moeda',
  'moedaInteira',
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

/** Every kind of visual. Slicers, texts and buttons have no query. */
export const VisualType = z.enum([
  'card',
  'line',
  'area',
  'bar',
  'column',
  'stackedBar',
  'stackedColumn',
  'donut',
  'scatter',
  'heatmap',
  'table',
  'matrix',
  'slicer',
  'text',
  'button',
])
export type VisualType = z.infer<typeof VisualType>
const WITHOUT_QUERY: readonly VisualType[] = ['slicer', 'text', 'button']

/** Name → aggregate expression over the rows of the visual's query, such as `sum(custo) / nullif(sum(receita), 0)`. */
const Measures = z.record(Identifier, Sql)

/** How a number's worth is shown: by its colour (and a mark, never by colour alone), a bar in its cell, or a shade. */
export const ConditionalFormat = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('rules'),
    /** The first one that holds counts. */
    rules: z
      .array(
        z.strictObject({
          operator: z.enum(['<', '<=', '>', '>=', '=', '!=']),
          value: z.union([z.number(), z.string()]),
          tone: z.enum(['good', 'warning', 'bad']),
        }),
      )
      .min(1)
      .max(10),
  }),
  z.strictObject({ kind: z.literal('bar') }),
  z.strictObject({ kind: z.literal('scale') }),
])
export type ConditionalFormat = z.infer<typeof ConditionalFormat>

/**
 * A hierarchy of the query's columns, the widest first. The visual then shows one row for each value of a level, with the
 * measures computed over the query's rows below the values opened so far; the level's column comes first in its rows.
 */
const Drill = z.strictObject({
  levels: z
    .array(
      z.strictObject({ column: Identifier, label: z.string().min(1).max(60), target: Target.optional() }),
    )
    .min(2)
    .max(6),
  values: Measures,
  /** An ORDER BY over the level's column (`nivel`) and the measures; by the level without it. */
  order: Sql.optional(),
})

/** Rows × columns, over the query's rows; subtotals and totals are computed, not added up, so that ratios stay right. */
const Matrix = z.strictObject({
  rows: z.array(Identifier).min(1).max(3),
  columns: z.array(Identifier).max(2).default([]),
  values: Measures,
  subtotals: z.boolean().default(true),
})

export const VisualDefinition = z
  .strictObject({
    name: Identifier,
    type: VisualType,
    title: z.string().min(1).max(120),
    subtitle: z.string().max(200).optional(),
    /** Place on the 1280 × 720 canvas. */
    layout: Box,
    /** One SELECT over the dataset's tables. Its rows feed the visual; the filters in force restrict the tables it reads. */
    query: Sql.optional(),
    /** Result column → how to write it. */
    format: z.record(z.string(), ColumnFormat).default({}),
    /** Result column → heading (tables) or series name. */
    labels: z.record(z.string(), z.string()).default({}),
    /** Result column → how its worth is shown. Cards, tables and matrices. */
    conditional: z.record(z.string(), ConditionalFormat).default({}),
    /**
     * An Apache ECharts option, merged over the house style of the type; `dataset` is set from the query's rows, so series
     * use `encode`. Strings only, never code. Cards: `{ "detail": "column", "trend": "column" }` instead (see docs).
     */
    option: z.record(z.string(), z.unknown()).default({}),
    /**
     * What a click on a data point selects (the `dataSelected` event, and the rows that the other visuals of the page then
     * show): the column of the model, and of the result.
     */
    select: z.strictObject({ target: Target, column: z.string() }).optional(),
    /** True: clicks in other visuals do not narrow this one. */
    ignoresSelection: z.boolean().default(false),
    drill: Drill.optional(),
    matrix: Matrix.optional(),
    /** Tables: a row of totals, and the order at first (a click on a heading changes it). */
    totals: Measures.optional(),
    sort: z.strictObject({ column: z.string(), descending: z.boolean().default(false) }).optional(),
    slicer: z
      .strictObject({
        target: Target,
        /** `dateRange` takes a date column. */
        style: z.enum(['list', 'search', 'dateRange']).default('list'),
        single: z.boolean().default(false),
      })
      .optional(),
    /** Paragraphs of a text visual. */
    text: z.union([z.string().min(1).max(4000), z.array(z.string().max(4000)).min(1).max(40)]).optional(),
    /** One of the three; without any, a press is told to the embedder alone (`buttonClicked`). */
    button: z
      .strictObject({
        page: Identifier.optional(),
        bookmark: Identifier.optional(),
        resetFilters: z.boolean().optional(),
      })
      .optional(),
  })
  .superRefine((visual, context) => {
    const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const hasQuery = !WITHOUT_QUERY.includes(visual.type)
    if (hasQuery !== (visual.query !== undefined))
      say(
        'query',
        hasQuery
          ? `um visual ${visual.type} precisa de uma consulta`
          : `um visual ${visual.type} não tem consulta`,
      )
    for (const part of ['matrix', 'slicer', 'text', 'button'] as const) {
      if (visual.type === part && visual[part] === undefined) say(part, `falta, em um visual ${part}`)
      if (visual.type !== part && visual[part] !== undefined) say(part, `só em um visual ${part}`)
    }
    if (visual.totals && visual.type !== 'table') say('totals', 'só em um visual table')
    if (
      visual.drill &&
      ['card', 'scatter', 'heatmap', 'table', 'matrix', ...WITHOUT_QUERY].includes(visual.type)
    )
      say('drill', `não em um visual ${visual.type}`)
  })
export type VisualDefinition = z.infer<typeof VisualDefinition>

export const PageDefinition = z.strictObject({
  name: Identifier,
  displayName: z.string().min(1).max(80),
  filters: z.array(Filter).default([]),
  visuals: z.array(VisualDefinition).min(1).max(40),
  /** On an upright phone: which visuals, in which order, how high (CSS pixels) and how wide. Without it, all of them. */
  phone: z
    .array(
      z.strictObject({
        visual: Identifier,
        height: z.number().int().min(60).max(900).optional(),
        half: z.boolean().default(false),
      }),
    )
    .min(1)
    .max(40)
    .optional(),
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
  /** States of the report that its author named: a page, with filters that replace those of the report. */
  bookmarks: z
    .array(
      z.strictObject({
        name: Identifier,
        displayName: z.string().min(1).max(80),
        page: Identifier,
        filters: z.array(Filter).default([]),
      }),
    )
    .max(50)
    .default([]),
})
export type ReportDefinition = z.infer<typeof ReportDefinition>
