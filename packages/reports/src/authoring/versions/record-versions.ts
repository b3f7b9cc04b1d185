import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DefinitionFiles } from '../../definitions/read-definitions.ts'
import { linkOrCopy } from '../../engine/data/link-or-copy.ts'
import { describeDefinition, replacedData } from './describe-changes.ts'
import { MAX_BYTES_OF_ALL, MAX_DATA_BYTES, whatToPrune } from './prune-versions.ts'
import {
  createDigests,
  hasSameData,
  hasSameDefinitions,
  isSameState,
  type ReportState,
  stateOf,
} from './report-state.ts'
import {
  bytesOfOthers,
  keptBytes,
  keptData,
  type Origin,
  readVersions,
  type Version,
  versionFile,
} from './version-files.ts'

/** Who publishes, and why when it is no ordinary publication. */
export type Publisher = { author: string; origin: Origin; note?: string }

type Recording = {
  dataDir: string
  publisher: Publisher
  /** Rows of each published dataset, by id. */
  rows: Map<string, number>
  /** ISO 8601. */
  at: string
}

/** The tree after a publication, and the definitions before and after it. */
type Publication = {
  tree: string
  /** Published files, relative to the data folder. */
  sources: Map<string, string>
  before: DefinitionFiles
  after: DefinitionFiles
}

/** Files of versions that the same plan publishes and deletes, so that all happens or nothing. */
type RecordedVersions = { place: string[]; remove: string[] }

/** Writes the versions of a publication into its tree. Call it under the publication lock. */
export const recordVersions = async (
  { tree, sources, before, after }: Publication,
  recording: Recording,
): Promise<RecordedVersions> => {
  const changed = new Set([...sources.keys()].map(dirname))
  const datasets = new Set(
    after.datasets
      .filter(({ path }) => changed.has(dirname(path)))
      .map(({ definition }) => definition.id.toLowerCase()),
  )
  const concerned = after.workspaces
    .flatMap(({ reports }) => reports)
    .filter(({ path, definition }) => sources.has(path) || datasets.has(definition.dataset.toLowerCase()))
  const digestOf = createDigests()
  const all: RecordedVersions = { place: [], remove: [] }
  for (const { definition } of concerned) {
    const id = definition.id.toLowerCase()
    const earlier = await stateOf(recording.dataDir, before, id, digestOf)
    const now = await stateOf(tree, after, id, digestOf)
    if (!now) continue
    const { place, remove } = await recordReport(tree, recording, earlier, now)
    all.place.push(...place)
    all.remove.push(...remove)
  }
  return all
}

const recordReport = async (
  tree: string,
  { dataDir, publisher, rows, at }: Recording,
  earlier: ReportState | undefined,
  now: ReportState,
): Promise<RecordedVersions> => {
  const versions = await readVersions(dataDir, now.id)
  const [last] = versions
  const added: Version[] = []
  const add = (state: ReportState, more: Omit<Version, 'number' | 'report' | 'dataset'>) => {
    const { report, dataset } = state
    added.unshift({ number: (last?.number ?? 0) + added.length + 1, ...more, report, dataset })
  }
  // An edit in the data folder, or a publication before there were versions.
  if (earlier && !(last && isSameState(last, earlier)))
    add(earlier, {
      at: earlier.writtenAt,
      author: '',
      origin: 'folder',
      isDataOnly: last !== undefined && hasSameDefinitions(last, earlier),
      changes: [last ? 'Alterado na pasta de dados, sem publicação' : 'Publicado antes de haver versões'],
    })
  const changes = earlier
    ? changesOf(earlier, now, rows)
    : [last ? 'Publicado de novo' : 'Publicado pela primeira vez']
  if (changes.length > 0 || publisher.note)
    add(now, {
      at,
      author: publisher.author,
      origin: publisher.origin,
      isDataOnly: earlier !== undefined && hasSameDefinitions(earlier, now),
      changes: publisher.note ? [publisher.note] : changes,
    })
  const place: string[] = []
  const kept = await keptBytes(dataDir, now.id)
  for (const version of added) {
    const name = versionFile(now.id, version.number)
    await mkdir(dirname(join(tree, name)), { recursive: true, mode: 0o700 })
    await writeFile(join(tree, name), JSON.stringify(version), { mode: 0o600, flush: true })
    place.push(name)
  }
  for (const { name, digest, bytes } of earlier?.dataset.isOwn ? earlier.dataset.files : []) {
    if (kept.has(digest) || now.dataset.files.some((file) => file.digest === digest)) continue
    const target = keptData(now.id, digest)
    await mkdir(dirname(join(tree, target)), { recursive: true, mode: 0o700 })
    // The publication gives its name to another file, so no program edits this one any more.
    await linkOrCopy(join(dataDir, earlier?.paths.get(name) ?? name), join(tree, target))
    kept.set(digest, bytes)
    place.push(target)
  }
  const others = await bytesOfOthers(dataDir, now.id)
  const mostBytes = Math.min(MAX_DATA_BYTES, MAX_BYTES_OF_ALL - others)
  const remove = whatToPrune(now.id, [...added, ...versions], { kept, mostBytes })
  return { place: place.filter((name) => !remove.includes(name)), remove }
}

const changesOf = (before: ReportState, now: ReportState, rows: ReadonlyMap<string, number>): string[] => {
  const isOther = before.dataset.id !== now.dataset.id
  return [
    before.report === now.report ? undefined : describeDefinition(before.definition, now.definition),
    isOther || before.dataset.text === now.dataset.text ? undefined : 'Conjunto de dados alterado',
    hasSameData(before, now) ? undefined : replacedData(rows.get(now.dataset.id) ?? 0),
  ].filter((change) => change !== undefined)
}
