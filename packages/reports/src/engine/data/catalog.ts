import type {
  DatasetDefinition,
  PageDefinition,
  ReportDefinition,
  Target,
  VisualDefinition,
} from '../../definitions/definition.ts'
import type { ColumnKind } from '../../wire/embed-contract.ts'
import type { Scale } from './columns/column-scales.ts'
import type { KeptDates } from './csv/csv-decision.ts'
import type { Database } from './database/database.ts'

/*
 * What is loaded: definitions resolved against each other and against the data. Lookups ignore
 * case, as DuckDB does; maps are keyed by the lower-case name or id.
 */

/** `type` is DuckDB's type name; `kind` decides how values are compared. */
export type Column = {
  name: string
  type: string
  kind: ColumnKind
  /** The heading in the file that the portal published. */
  heading?: string | undefined
  /** Of a number, where it is known. */
  scale?: Scale | undefined
  /** For a text column with few values: lower-case text → its spellings in the data. */
  spellings?: Map<string, string[]> | undefined
}

export type Table = {
  name: string
  /** The schema-qualified, quoted name of the stored table. */
  source: string
  hidden: boolean
  columns: Map<string, Column>
  /** The sheet of the published spreadsheet; missing for other files. */
  sheet?: string
  /** How the dates among the texts of a folder's spreadsheet were read. */
  dates?: KeptDates
}

/** The context of a piece of SQL: the tables it reads and the parameters it names. */
export type SqlDependencies = {
  reads: Table[]
  parameters: string[]
  /** Its values are those of tables, without any computation. */
  isStored: boolean
}

/**
 * A row-level security rule. Tables in its own subqueries are read in full: rules do not apply to
 * themselves. `names` are its column references: `x` alone, `t.` and `x` for `t.x`, `*` for a star.
 */
export type Predicate = SqlDependencies & { sql: string; names: ReadonlySet<string> }
export type Role = { name: string; predicates: Map<string, Predicate> }

/**
 * One version of a dataset. Each has its own database, closed when the last reader of an old
 * version has left.
 */
export type Dataset = {
  id: string
  database: Database
  definition: DatasetDefinition
  tables: Map<string, Table>
  /** The one with the fewest rows first. */
  aggregations: AggregationTable[]
  roles: Role[]
  /** Milliseconds since the epoch at which the newest of its data files was written. */
  writtenAt: number
}

/** One row of `table` per combination of the columns `by` (lower case), with sums of others. */
export type AggregationTable = {
  name: string
  table: Table
  source: string
  by: ReadonlySet<string>
  rows: number
}

/** A checked SELECT over the plain table names, and how its rows are serialised. */
export type CheckedQuery = {
  sql: string
  reads: Table[]
  /** The names of its drill values. */
  parameters: string[]
  /** Its values are those of tables, without any computation. */
  isStored: boolean
  /**
   * Result columns with DuckDB's type, each with an expression that turns it into text, double or
   * boolean.
   */
  columns: { name: string; type: string; expression: string }[]
  /** Characters after which its expressions cut texts. */
  mostLetters?: number
  /** For a matrix: expressions for the number of row keys and of column keys of a row. */
  levels?: [rows: string, columns: string]
}

export type Visual = {
  definition: VisualDefinition
  /** Result columns, the same at every drill level. */
  columns: CheckedQuery['columns']
  /**
   * For a hierarchy one per level, the top level first, with drill values as `$nivel0`, `$nivel1`
   * …; otherwise one.
   */
  queries: [CheckedQuery, ...CheckedQuery[]]
  totals?: CheckedQuery
  /** Queries of the rows that each of `queries` aggregates, if the author lets readers see them. */
  underlying?: CheckedQuery[]
  /** Queries of the rows behind the visual that have ids of beneficiaries, and their id column. */
  beneficiaries?: { queries: CheckedQuery[]; column: string }
  /** Read instead of its table, if all filters and rules in force are on its keys. */
  aggregation?: AggregationTable
}

/** `visuals` are only those with a query. */
export type Page = { definition: PageDefinition; visuals: Visual[] }

export type Report = {
  id: string
  /** Unique across all reports and versions: caches use it as a key. */
  version: string
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
  /** One Portuguese sentence for each file or detail that was left out. */
  warnings: string[]
  /** Ids of datasets whose files became unusable: their previous version stays in use. */
  outdated: Set<string>
  /** Paths of the definitions in use. */
  files: Set<string>
}

/** Returns the visible column that a filter or a list of values names, or undefined. */
export const findColumn = (
  dataset: Dataset,
  target: Target,
): { table: Table; column: Column } | undefined => {
  const table = dataset.tables.get(target.table.toLowerCase())
  const column = table?.columns.get(target.column.toLowerCase())
  return table && column && !table.hidden ? { table, column } : undefined
}

/** Returns the datasets of a workspace's reports; dataset files are outside workspaces. */
export const datasetsOf = (workspace: Workspace): Dataset[] => {
  return [...new Set(workspace.reports.map((report) => report.dataset))]
}
