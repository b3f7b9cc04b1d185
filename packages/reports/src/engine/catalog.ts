import type { Database } from './database.ts'
import type {
  DatasetDefinition,
  PageDefinition,
  ReportDefinition,
  Target,
  VisualDefinition,
} from './definition.ts'

/*
 * What is loaded: definitions resolved against each other and against the data. Names are looked up without regard to
 * case, as DuckDB does; maps are keyed by the lower-case name or id.
 */

export type ColumnKind = 'integer' | 'number' | 'boolean' | 'date' | 'timestamp' | 'text' | 'other'
/** `type` is DuckDB's word; `kind` says how its values are compared. */
export type Column = {
  name: string
  type: string
  kind: ColumnKind
  /** Bytes of its longest value as text; 0 where no value can be long. */
  longest: number
  /** Of a text column with few values: lower-case text → how the data spells it. */
  spellings?: Map<string, string[]> | undefined
}

export type Table = {
  name: string
  /** Schema-qualified and quoted: where the rows really are. */
  source: string
  hidden: boolean
  columns: Map<string, Column>
}

/** What a piece of SQL needs around it: the tables it reads and the parameters it names. */
export type Needs = { reads: Table[]; parameters: string[] }

/**
 * The tables that its own subqueries read are read whole: security rules are not subject to themselves. `names` holds what
 * it calls columns: `x` alone, `t.` and `x` for `t.x`, `*` for a star.
 */
export type Predicate = Needs & { sql: string; names: ReadonlySet<string> }
export type Role = { name: string; predicates: Map<string, Predicate> }

/** One version of a dataset. Each has a database of its own, which is closed when the last reader of an old one has gone. */
export type Dataset = {
  id: string
  database: Database
  definition: DatasetDefinition
  tables: Map<string, Table>
  /** By table, the shortest first. */
  summaries: Map<Table, Summary[]>
  roles: Role[]
}

/** One row for all rows of a table that agree in `by` (lower case), with the sums of `sums`. */
export type Summary = { source: string; by: ReadonlySet<string>; sums: ReadonlySet<string>; rows: number }

/** One checked SELECT over the plain table names, and how its rows travel. */
export type Shape = {
  sql: string
  reads: Table[]
  /** Result columns, and the expression that turns each into text, double or boolean. */
  columns: { name: string; expression: string }[]
  /** Of a matrix: of how many row and column keys a row is about. */
  levels?: [rows: string, columns: string]
  /** Those that give the same rows as their table, wherever filters and rules ask of it no more than they have. */
  summaries: Dataset['summaries']
}

export type Visual = {
  definition: VisualDefinition
  /** Of what it answers, whatever is opened. */
  columns: Shape['columns']
  /** Of a hierarchy one a level, the widest first; the values opened are `$nivel0`, `$nivel1` … Else only one. */
  shapes: [Shape, ...Shape[]]
  totals?: Shape
}

/** `visuals`: those with a query. */
export type Page = { definition: PageDefinition; visuals: Visual[] }

export type Report = {
  id: string
  /** No two versions of any report have the same: whatever is kept of one stands under it. */
  version: number
  workspaceId: string
  dataset: Dataset
  definition: ReportDefinition
  pages: Page[]
}

export type Workspace = { id: string; name: string; reports: Report[] }

export type Catalog = {
  workspaces: Map<string, Workspace>
  reports: Map<string, Report>
  datasets: Map<string, Dataset>
  /** One Portuguese sentence for each file or detail left out. */
  warnings: string[]
  /** Ids of datasets whose files can no longer be used: the version before is served on. */
  outdated: Set<string>
  /** Paths of the definitions in use. */
  files: Set<string>
}

/** The visible column that a filter or a list of values names, or undefined. */
export function findColumn(dataset: Dataset, target: Target): { table: Table; column: Column } | undefined {
  const table = dataset.tables.get(target.table.toLowerCase())
  const column = table?.columns.get(target.column.toLowerCase())
  return table && column && !table.hidden ? { table, column } : undefined
}

/** The datasets that a workspace's reports use: a dataset file stands outside workspaces. */
export function datasetsOf(workspace: Workspace): Dataset[] {
  return [...new Set(workspace.reports.map((report) => report.dataset))]
}
