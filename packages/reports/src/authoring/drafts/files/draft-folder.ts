import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { plainName } from '../../../definitions/column-names.ts'
import type { Draft } from './draft-files.ts'

export type Publication = {
  /** An existing workspace; without an id, a new one with the workspace id of the draft. */
  workspace: { id?: string | undefined; name: string }
  /** The report's definition, as the author wrote it. */
  report: string
  /** Further files of the same person, which become tables of the same dataset. */
  others: Draft[]
  /** The clock of the data; that of the portal from an earlier portal. */
  timeZone?: string | undefined
  /** The name of the person who publishes; '' when it is unknown. */
  author: string
}

/** Returns the name of the table that the draft's rows become. */
export const tableOf = ({ name }: Draft): string => plainName(basename(name, extname(name)), 'Dados')

export const workspaceIdOf = (draft: Draft, { workspace }: Publication) => workspace.id ?? draft.workspaceId

/**
 * Writes the draft into an empty folder with the layout of the data folder. The data file is a hard
 * link; reading the draft again creates another file.
 * @param name the name of the dataset
 */
export const writeDraftFolder = async (
  draft: Draft,
  folder: string,
  publication: Publication,
  name = draft.name,
): Promise<{ dataFolder: string; reportFile: string }> => {
  const { workspace, report, timeZone } = publication
  const workspaceId = workspaceIdOf(draft, publication)
  const dataFolder = join(folder, 'datasets', folderName(draft.name, draft.datasetId))
  const workspaceFolder = join(folder, 'workspaces', folderName(workspace.name, workspaceId))
  const reportFile = join(workspaceFolder, `${draft.reportId}.json`)
  await rm(folder, { recursive: true, force: true })
  for (const one of [dataFolder, workspaceFolder]) await mkdir(one, { recursive: true, mode: 0o700 })
  const tables: Record<string, { file: string }> = {}
  for (const [index, one] of [draft, ...publication.others].entries()) {
    const file = index === 0 ? 'dados.parquet' : `dados-${index + 1}.parquet`
    tables[tableOf(one)] = { file }
    await link(one.data, join(dataFolder, file))
  }
  await writeFile(join(dataFolder, 'dataset.json'), json({ id: draft.datasetId, name, timeZone, tables }))
  await writeFile(join(workspaceFolder, 'workspace.json'), json({ id: workspaceId, name: workspace.name }))
  await writeFile(reportFile, report)
  return { dataFolder, reportFile }
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

/** Returns a folder name that no other dataset or workspace has. */
const folderName = (name: string, id: string) => `${plainName(name, 'area').toLowerCase()}-${id.slice(0, 8)}`
