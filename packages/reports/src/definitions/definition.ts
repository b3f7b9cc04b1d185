import { z } from 'zod'
import { isTimeZone, PORTAL_ZONE } from './time-zone.ts'
import { hasQuery, type VisualType, visualTypes } from './visual-types.ts'
import { Filter } from './wire-filters.ts'

/*
 * The two files an author writes, both JSON. docs/relatorios.md explains them with examples.
 *
 *   <data>/datasets/<name>/dataset.json      next to the CSV, XLSX or Parquet files it names
 *   <data>/workspaces/<name>/workspace.json  next to the report files of that workspace
 *   <data>/workspaces/<name>/<report>.json
 */

/** A table or column name: letters, digits and underscore, so that quoting it is safe. */
const Identifier = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, 'use letras, números e _ (até 63)')

/** SQL, as one string or one string per line. */
const Sql = z.union([
  z.string().min(1),
  z
    .array(z.string())
    .min(1)
    .transform((lines) => lines.join('\n')),
])

export const CsvType = z.enum(['text', 'integer', 'number', 'date', 'timestamp', 'boolean'])
export type CsvType = z.infer<typeof CsvType>

/** The format of a CSV file or of a sheet; what is omitted is detected. */
export const CsvOptions = z.strictObject({
  delimiter: z.enum([';', ',', '\t', '|']).optional(),
  /** The decimal mark; the other of comma and point separates thousands. */
  decimal: z.enum([',', '.']).optional(),
  encoding: z.enum(['utf-8', 'windows-1252']).optional(),
  /** Column → type; a value of another type is an error. `text` keeps leading zeros. */
  types: z.record(z.string(), CsvType).optional(),
  /** The sheet of a spreadsheet, by its name. */
  sheet: z.string().min(1).max(255).optional(),
  /** The row of the heading in a sheet; the first is 1. */
  headingRow: z.int().min(1).max(1_048_576).optional(),
  /** 2: the row of groups and the row of names below it. */
  headingRows: z.union([z.literal(1), z.literal(2)]).optional(),
})
export type CsvOptions = z.infer<typeof CsvOptions>

const DatasetFields = z.strictObject({
  id: z.guid(),
  name: z.string().min(1).max(200),
  description: z.string().optional(),
  /** The clock (IANA) on which instants are grouped, filtered, shown and exported. */
  timeZone: z
    .string()
    .refine(isTimeZone, 'este fuso horário não existe: use um nome como America/Manaus')
    .default(PORTAL_ZONE),
  /**
   * Table name → its file, next to dataset.json. A hidden table is for role predicates only;
   * visuals cannot read it.
   */
  tables: z.record(
    Identifier,
    z.strictObject({
      file: z
        .string()
        .regex(
          /^[\w.-]+\.(csv|tsv|txt|parquet|xlsx|xlsm)$/,
          'o nome de um arquivo .csv, .tsv, .txt, .parquet ou .xlsx desta pasta; salve outras planilhas como XLSX',
        ),
      hidden: z.boolean().default(false),
      /** The column with the plan id of the beneficiary whom a row is about. */
      beneficiary: z.string().min(1).max(200).optional(),
      csv: CsvOptions.optional(),
    }),
  ),
  /**
   * Aggregation tables, computed when the data is loaded: one row per combination of `by`, with
   * sums of `sums` under the same names. A visual names the one that may answer it in `summary`;
   * without a name it is not used.
   */
  summaries: z
    .array(
      z.strictObject({
        name: Identifier.optional(),
        of: Identifier,
        by: z.array(Identifier).min(1).max(20),
        sums: z.array(Identifier).max(20).default([]),
      }),
    )
    .max(20)
    .default([]),
  /**
   * Row-level security. A role maps tables to predicates: DuckDB expressions over the table's
   * columns, which may use `$username` and `$customdata` (text or NULL). Tables without a predicate
   * are visible in full. Several roles show the union of their rows.
   */
  roles: z
    .array(z.strictObject({ name: z.string().min(1).max(128), rows: z.record(Identifier, Sql) }))
    .default([]),
  /** True: embed tokens need an effective identity with at least one role. */
  requiresIdentity: z.boolean().optional(),
})
/** Roles require an identity by default: a report without a role would show every row. */
export const DatasetDefinition = DatasetFields.transform(({ requiresIdentity, ...dataset }) => ({
  ...dataset,
  requiresIdentity: requiresIdentity ?? dataset.roles.length > 0,
}))
export type DatasetDefinition = z.infer<typeof DatasetDefinition>

export const WorkspaceDefinition = z.strictObject({ id: z.guid(), name: z.string().min(1).max(200) })
export type WorkspaceDefinition = z.infer<typeof WorkspaceDefinition>

/** Brazilian number formats of a column. `moeda` R$ 1.234,56; `moedaCurta` R$ 1,2 mi. */
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

/**
 * Name → aggregate expression over the rows of the visual's query, such as `sum(custo) /
 * nullif(sum(receita), 0)`.
 */
const Measures = z.record(Identifier, Sql)

/** Conditional formatting: a tone (colour and mark, never colour alone), a bar, or a shade. */
const ConditionalFormat = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('rules'),
    /** The first matching rule applies. */
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

/**
 * A hierarchy of the query's columns, top level first. The visual shows one row per value of a
 * level, with the measures over the query's rows below the drill path; the level's column comes
 * first.
 */
const Drill = z.strictObject({
  levels: z
    .array(
      z.strictObject({ column: Identifier, label: z.string().min(1).max(60), target: Target.optional() }),
    )
    .min(2)
    .max(6),
  values: Measures,
  /** An ORDER BY over the level's column (`nivel`) and the measures; by default the level. */
  order: Sql.optional(),
})

/**
 * Rows × columns over the query's rows. Subtotals and totals are computed, not summed, so that
 * ratios are right.
 */
const Matrix = z.strictObject({
  rows: z.array(Identifier).min(1).max(3),
  columns: z.array(Identifier).max(2).default([]),
  values: Measures,
  subtotals: z.boolean().default(true),
})

export const VisualDefinition = z
  .strictObject({
    name: Identifier,
    type: z.enum(Object.keys(visualTypes) as VisualType[]),
    title: z.string().min(1).max(120),
    subtitle: z.string().max(200).optional(),
    /** Position on the 1280 × 720 canvas. */
    layout: Box,
    /** One SELECT over the dataset's tables. The filters in force restrict the tables it reads. */
    query: Sql.optional(),
    /**
     * The aggregation table that the query reads instead of its table, while all filters and rules
     * are on its keys. `check` and `publish` compare the results on the data.
     */
    summary: Identifier.optional(),
    /** Result column → number format. */
    format: z.record(z.string(), ColumnFormat).default({}),
    /** Result column → heading (tables) or series name. */
    labels: z.record(z.string(), z.string()).default({}),
    /** Result column → conditional formatting. Cards, tables and matrices. */
    conditional: z.record(z.string(), ConditionalFormat).default({}),
    /**
     * An Apache ECharts option, merged over the defaults of the type; `dataset` is set from the
     * query's rows, so series use `encode`. Strings only, never code. Cards: `{ "detail": "column",
     * "trend": "column" }` instead (see docs).
     */
    option: z.record(z.string(), z.unknown()).default({}),
    /**
     * What a click on a data point selects (for the `dataSelected` event, and as a cross-filter of
     * the page): the column of the model, and of the result.
     */
    select: z.strictObject({ target: Target, column: z.string() }).optional(),
    /** True: selections in other visuals do not filter this one. */
    ignoresSelection: z.boolean().default(false),
    drill: Drill.optional(),
    matrix: Matrix.optional(),
    /** Tables: a row of totals, and the initial order (a click on a heading changes it). */
    totals: Measures.optional(),
    sort: z.strictObject({ column: z.string(), descending: z.boolean().default(false) }).optional(),
    slicer: z
      .strictObject({
        target: Target,
        /** `dateRange` needs a date column. */
        style: z.enum(['list', 'search', 'dateRange']).default('list'),
        single: z.boolean().default(false),
      })
      .optional(),
    /** Paragraphs of a text visual. */
    text: z.union([z.string().min(1).max(4000), z.array(z.string().max(4000)).min(1).max(40)]).optional(),
    /** One of the three; without any, the button only emits `buttonClicked`. */
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
    const needsQuery = hasQuery(visual.type)
    if (needsQuery !== (visual.query !== undefined))
      say(
        'query',
        needsQuery
          ? `um visual ${visual.type} precisa de uma consulta`
          : `um visual ${visual.type} não tem consulta`,
      )
    if (visual.summary !== undefined && !needsQuery) say('summary', 'só em um visual com consulta')
    for (const part of ['matrix', 'slicer', 'text', 'button'] as const) {
      if (visual.type === part && visual[part] === undefined) say(part, `falta, em um visual ${part}`)
      if (visual.type !== part && visual[part] !== undefined) say(part, `só em um visual ${part}`)
    }
    if (visual.totals && visual.type !== 'table') say('totals', 'só em um visual table')
    if (visual.drill && !visualTypes[visual.type].canDrill) say('drill', `não em um visual ${visual.type}`)
  })
export type VisualDefinition = z.infer<typeof VisualDefinition>

export const PageDefinition = z.strictObject({
  name: Identifier,
  displayName: z.string().min(1).max(80),
  filters: z.array(Filter).default([]),
  visuals: z.array(VisualDefinition).min(1).max(40),
  /**
   * Portrait phones: which visuals, in which order, their height (CSS pixels) and width. Without
   * it, all of them.
   */
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
  /** A line on every page, such as the notice that the numbers are fictitious. */
  notice: z.string().max(200).optional(),
  /**
   * How values are shown, in all visuals and filters: value → its label and the number (1 to 8) of
   * its colour. Series match by label. Filters and events keep the value.
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
  /** Columns in the filter pane. */
  filterPane: z.array(z.strictObject({ target: Target, label: z.string().min(1).max(60) })).default([]),
  /**
   * The selects of the portal's panel 'Filtrar Relatórios', in their order; values have the labels
   * of `values`. An empty list hides the panel; without it, the portal shows its own filters, if
   * the dataset has their columns.
   */
  panelFilters: z
    .array(
      z.strictObject({
        target: Target,
        label: z.string().trim().min(1).max(60),
        /** The options, in their order. */
        values: z
          .array(z.union([z.string().trim().min(1).max(100), z.number(), z.boolean()]))
          .min(1)
          .max(200),
        /** The value that is chosen when the report opens. */
        default: z.union([z.string(), z.number(), z.boolean()]).optional(),
      }),
    )
    .max(8)
    .optional(),
  filters: z.array(Filter).default([]),
  /** True: a reader may export the rows that the visuals aggregate, within the reader's rows. */
  underlyingData: z.boolean().optional(),
  pages: z.array(PageDefinition).min(1).max(30),
  /** Named states of the report: a page, with filters that replace those of the report. */
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
