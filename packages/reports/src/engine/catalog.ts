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
  /** Of a text column with few values: lower-case text → how the data spells it. */
  spellings?: Map<string, string[]>
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

/** The tables that its own subqueries read are read whole: security rules are not subject to themselves. */
export type Predicate = Needs & { sql: string }
export type Role = { name: string; predicates: Map<string, Predicate> }

export type Dataset = {
  id: string
  definition: DatasetDefinition
  tables: Map<string, Table>
  roles: Role[]
}

export type Visual = {
  definition: VisualDefinition
  /** One checked SELECT over the plain table names. */
  sql: string
  reads: Table[]
  /** Result columns, and the expression that turns each into text, double or boolean. */
  columns: { name: string; expression: string }[]
}

/** `visuals`: those with a query. */
export type Page = { definition: PageDefinition; visuals: Visual[] }

export type Report = {
  id: string
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
