import type { DatasetDefinition } from '../../definitions/definition.ts'
import type { DefinitionFiles } from '../../definitions/read-definitions.ts'
import type { Prepared } from './prepare.ts'

/** Something that the published data asks of readers, and the file of the author that asks it no more. */
type LostRule = { path: string; said: string }

/**
 * Returns what closes published rows and is missing after the publication: roles, their rules, and
 * the identity, of each dataset, and of the data of each report that reads another dataset.
 */
export const lostRules = ({ before, after, sources }: Prepared): LostRule[] => {
  const ofDatasets = after.datasets.flatMap(({ path, definition }) => {
    const published = findDataset(before, definition.id)
    return published ? lostIn(published, definition).map((said) => ({ path, said })) : []
  })
  const ofReports = reportsIn(after).flatMap(({ path, definition: { id, dataset } }) => {
    const earlier = reportsIn(before).find((one) => isSame(one.definition.id, id))?.definition.dataset
    if (earlier === undefined || isSame(earlier, dataset)) return []
    const [published, next] = [findDataset(before, earlier), findDataset(after, dataset)]
    if (!published || !next) return []
    return lostIn(published, next).map((said) => ({
      path,
      said: `o relatório publicado usa outros dados; ${said}`,
    }))
  })
  return [...ofDatasets, ...ofReports].filter(({ path }) => sources.has(path))
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const findDataset = ({ datasets }: DefinitionFiles, id: string) =>
  datasets.find(({ definition }) => isSame(definition.id, id))?.definition

const reportsIn = ({ workspaces }: DefinitionFiles) => workspaces.flatMap(({ reports }) => reports)

const lostIn = (published: DatasetDefinition, next: DatasetDefinition): string[] => {
  const rolesOf = ({ roles }: DatasetDefinition) => new Map(roles.map(({ name, rows }) => [name, rows]))
  const [before, kept] = [rolesOf(published), rolesOf(next)]
  const lost = [...before.keys()].filter((name) => !kept.has(name))
  const said = [...before].flatMap(([name, rows]) => {
    const tables = changedTables(rows, kept.get(name) ?? rows)
    return tables.length > 0
      ? [`o papel ${name} não tem aqui a mesma regra de ${tables.join(', ')} que nos dados publicados`]
      : []
  })
  const one = lost.length === 1
  if (lost.length > 0)
    said.unshift(
      `os dados publicados têm ${one ? 'o papel' : 'os papéis'} ${lost.join(', ')}, que aqui não ${one ? 'existe' : 'existem'}`,
    )
  else if (published.requiresIdentity && !next.requiresIdentity)
    said.push('os dados publicados só abrem com uma identidade, e aqui abrem sem uma')
  return said
}

/** Returns the tables whose rule is another one or missing; an added rule shows fewer rows. */
const changedTables = (before: Record<string, string>, next: Record<string, string>): string[] => {
  const rules = new Map(Object.entries(next).map(([table, rule]) => [table.toLowerCase(), rule.trim()]))
  return Object.entries(before).flatMap(([table, rule]) =>
    rules.get(table.toLowerCase()) === rule.trim() ? [] : [table],
  )
}
