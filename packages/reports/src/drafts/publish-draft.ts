import { existsSync } from 'node:fs'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { isRecord } from '../engine/definitions/is-record.ts'
import { type CheckResult, check, publish, type Settings } from '../publish/publish.ts'
import { plainName } from './column-names.ts'
import type { Draft } from './draft-files.ts'

export type Publication = {
  /** An existing workspace; without an id, the draft's own new one. */
  workspace: { id?: string | undefined; name: string }
  /** The report's definition, as the author wrote it. */
  report: string
}
export type PublishedDraft = Pick<CheckResult, 'faults' | 'remarks'> & {
  workspaceId: string
  reportId: string
}

/** Returns the name of the draft's only table. */
export const tableOf = ({ name }: Draft): string => plainName(basename(name, extname(name)), 'Dados')

/** Checks a draft as if it were published, or publishes it when it has no faults. */
export async function judgeDraft(
  settings: Settings,
  draft: Draft,
  { workspace, report }: Publication,
  act: 'check' | 'publish',
): Promise<PublishedDraft> {
  const { datasetId, reportId } = draft
  const workspaceId = workspace.id ?? draft.workspaceId
  const ids = { workspaceId, reportId }
  const definition = definitionIn(report)
  const changed = changedIds(draft, definition)
  if (changed.length) return { ...ids, faults: changed, remarks: [] }
  if (!existsSync(draft.data)) return { ...ids, faults: [`${draft.name}: ainda não foi lido.`], remarks: [] }
  const folder = join(draft.folder, 'publicacao')
  const dataFolder = join(folder, folderName(draft.name, datasetId))
  const areaFolder = join(folder, folderName(workspace.name, workspaceId))
  const reportFile = join(areaFolder, `${reportId}.json`)
  await rm(folder, { recursive: true, force: true })
  try {
    for (const one of [dataFolder, areaFolder]) await mkdir(one, { recursive: true, mode: 0o700 })
    const tables = { [tableOf(draft)]: { file: 'dados.parquet' } }
    const name = typeof definition?.name === 'string' ? definition.name : draft.name
    await writeFile(join(dataFolder, 'dataset.json'), json({ id: datasetId, name, tables }))
    await copyFile(draft.data, join(dataFolder, 'dados.parquet'))
    await writeFile(join(areaFolder, 'workspace.json'), json({ id: workspaceId, name: workspace.name }))
    await writeFile(reportFile, report)
    const { faults, remarks } = await { check, publish }[act](settings, folder)
    const asAuthorKnows = (sentence: string) =>
      sentence.replaceAll(reportFile, 'Relatório').replaceAll(dataFolder, draft.name)
    return { ...ids, faults: faults.map(asAuthorKnows), remarks: remarks.map(asAuthorKnows) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

/** Returns a folder name that no other dataset or workspace has. */
const folderName = (name: string, id: string) => `${plainName(name, 'area').toLowerCase()}-${id.slice(0, 8)}`

/** Returns the definition; undefined when it is no JSON object, which the check then says. */
const definitionIn = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** With other ids, the publication would replace, or read, what is not the draft's. */
const changedIds = (
  { reportId, datasetId }: Draft,
  definition: Record<string, unknown> | undefined,
): string[] => {
  if (!definition) return []
  const expected = { id: reportId, dataset: datasetId }
  return Object.entries(expected).flatMap(([field, value]) =>
    String(definition[field]).toLowerCase() === value.toLowerCase()
      ? []
      : [`Relatório: ${field}: deixe ${value}, que é deste arquivo.`],
  )
}
