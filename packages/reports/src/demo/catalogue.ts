import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatasetDefinition, ReportDefinition, WorkspaceDefinition } from '../definitions/definition.ts'

const DEMO = fileURLToPath(new URL('../../demo/', import.meta.url))

/** Returns the demo's reports from the committed definitions, without data or a service. */
export const demoCatalogue = () => {
  const datasets = folders('datasets').map((folder) =>
    DatasetDefinition.parse(read('datasets', folder, 'dataset.json')),
  )
  return {
    workspaces: folders('workspaces').map((folder) => {
      const { id, name } = WorkspaceDefinition.parse(read('workspaces', folder, 'workspace.json'))
      const reports = readdirSync(join(DEMO, 'workspaces', folder))
        .filter((file) => file !== 'workspace.json')
        .sort()
        .map((file) => entry(ReportDefinition.parse(read('workspaces', folder, file)), datasets))
      return { id, name, reports }
    }),
  }
}

/** Returns a report for registration in the portal; `roles` are for its token. */
const entry = (report: ReportDefinition, datasets: DatasetDefinition[]) => {
  const dataset = datasets.find(({ id }) => id === report.dataset)
  if (!dataset) throw new Error(`Report ${report.name} names a dataset that the demo does not have.`)
  const { requiresIdentity, roles } = dataset
  const operadora = onlyOperadora(report)
  return {
    id: report.id,
    name: report.name,
    ...(operadora === undefined ? {} : { operadora }),
    requiresIdentity,
    roles: requiresIdentity ? roles.map((role) => role.name) : [],
  }
}

/** Returns the operadora that the report's own filter selects, if it is only one. */
const onlyOperadora = ({ filters }: ReportDefinition): string | undefined => {
  for (const filter of filters) {
    if (filter.target.column !== 'operadora' || !('values' in filter) || filter.operator !== 'In') continue
    const [value, ...others] = filter.values
    if (typeof value === 'string' && others.length === 0) return value
  }
  return undefined
}

const folders = (kind: string): string[] => {
  return readdirSync(join(DEMO, kind)).sort()
}

const read = (...path: string[]): unknown => {
  return JSON.parse(readFileSync(join(DEMO, ...path), 'utf8'))
}
