import { readDefinitions } from '../../definitions/read-definitions.ts'
import { createDigests, isSameState, type ReportState, stateOf } from '../versions/report-state.ts'

/** A report in its place in the data folder. */
export type Published = {
  state: ReportState
  /** Relative to the data folder. */
  path: string
  workspace: { id: string; name: string }
}

/** Returns whether definitions and data of a published report are still those that were found. */
export const isUnchanged = async (
  dataDir: string,
  { state }: Published,
  digestOf = createDigests(),
): Promise<boolean> => {
  const now = await stateOf(dataDir, await readDefinitions(dataDir, () => {}), state.id, digestOf)
  return now !== undefined && isSameState(now, state) && now.dataset.isOwn === state.dataset.isOwn
}

/** Returns a published report; undefined without it, or without a valid definition. */
export const findPublished = async (
  dataDir: string,
  reportId: string,
  digestOf = createDigests(),
): Promise<Published | undefined> => {
  const files = await readDefinitions(dataDir, () => {})
  const state = await stateOf(dataDir, files, reportId.toLowerCase(), digestOf)
  const isIt = ({ definition }: { definition: { id: string } }) => definition.id.toLowerCase() === state?.id
  const workspace = files.workspaces.find(({ reports }) => reports.some(isIt))
  const report = workspace?.reports.find(isIt)
  if (!state || !workspace || !report) return undefined
  return { state, path: report.path, workspace: workspace.definition }
}
