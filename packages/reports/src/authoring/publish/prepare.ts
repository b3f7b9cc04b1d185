import { constants } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { isDataFile, leftoverIn } from '@bi-manager/contract/data-files'
import { type DefinitionFiles, readDefinitions, readUnit } from '../../definitions/read-definitions.ts'
import { linkOrCopy } from '../../engine/data/link-or-copy.ts'
import { findUnits, nameFault, type Unit } from './units.ts'

/** The tree after the publication. Paths are relative to the data folder. */
export type Prepared = {
  tree: string
  before: DefinitionFiles
  after: DefinitionFiles
  /** Target → the author's file: `datasets/x/dataset.json` → `/home/ana/x/dataset.json`. */
  sources: Map<string, string>
  /** The targets that the author brings, unlike those that are copies of published files. */
  authored: Set<string>
  /** Files to delete: data that no table uses any more, the old file of a renamed report. */
  remove: string[]
  /** Ids of the published datasets, and of the datasets of published reports. */
  datasets: string[]
  /** Those of them of which the author brings all data. */
  authoredDatasets: Set<string>
  /** Reports that opened without a role before, and no longer do. */
  closed: ClosedReport[]
  faults: string[]
  /** Data files of the author that no table uses. */
  unused: string[]
}
export type ClosedReport = { id: string; name: string; path: string }
type PrepareOptions = { copies?: ReadonlySet<string> | undefined; withPublished?: boolean }
type Planned = Pick<Prepared, 'sources' | 'remove' | 'faults' | 'unused'>

/**
 * Builds the tree in an empty folder: the published files, overlaid with the units of `folder`.
 * With `withPublished: false`, the tree has only what the author brings.
 * @param copies files of `folder` that are copies of published files
 */
export const prepare = async (
  dataDir: string,
  folder: string,
  tree: string,
  { copies = new Set(), withPublished = true }: PrepareOptions = {},
): Promise<Prepared> => {
  const current = await readDefinitions(dataDir, () => {})
  const planned: Planned = { sources: new Map(), remove: [], faults: [], unused: [] }
  const units = await findUnits(folder)
  if (!units.length)
    planned.faults.push(`${folder}: não há dataset.json nem workspace.json, aqui ou nas pastas de dentro`)
  const targets = new Map<string, string>()
  for (const unit of units) await planUnit(planned, unit, current, targets)

  const { sources, remove } = planned
  for (const name of withPublished ? await filesOf(dataDir) : []) {
    if (!sources.has(name) && !remove.includes(name))
      await put(join(dataDir, name), join(tree, name), linkOrCopy)
  }
  for (const [name, source] of sources) await put(source, join(tree, name), copyForGood)

  const after = await readDefinitions(tree, () => {})
  const changed = new Set([...sources.keys()].map(dirname))
  const datasets = [
    ...after.datasets.filter(({ path }) => changed.has(dirname(path))).map(({ definition }) => definition.id),
    ...after.workspaces
      .flatMap(({ reports, invalidReports }) => [
        ...reports.map(({ path, definition: { dataset } }) => ({ path, dataset })),
        ...invalidReports,
      ])
      .filter(({ path }) => sources.has(path))
      .map(({ dataset }) => dataset),
  ]
  const closed = closedReports(current, after)
  const authored = new Set([...sources].flatMap(([target, source]) => (copies.has(source) ? [] : [target])))
  return {
    ...planned,
    tree,
    authored,
    authoredDatasets: authoredDatasets(after, authored),
    before: current,
    after,
    closed,
    datasets: datasets.map((id) => id.toLowerCase()),
  }
}

/** Of several files with one id, the first one is loaded. */
const authoredDatasets = ({ datasets }: DefinitionFiles, authored: ReadonlySet<string>): Set<string> => {
  const isAuthored = new Map<string, boolean>()
  for (const { path, definition } of datasets) {
    const id = definition.id.toLowerCase()
    const files = Object.values(definition.tables).map(({ file }) => join(dirname(path), file))
    if (!isAuthored.has(id))
      isAuthored.set(
        id,
        files.every((file) => authored.has(file)),
      )
  }
  return new Set([...isAuthored].flatMap(([id, isIt]) => (isIt ? [id] : [])))
}

const closedReports = (before: DefinitionFiles, after: DefinitionFiles): ClosedReport[] => {
  const idsOf = ({ datasets }: DefinitionFiles, requires: boolean) =>
    new Set(
      datasets
        .filter(({ definition }) => definition.requiresIdentity === requires)
        .map(({ definition }) => definition.id.toLowerCase()),
    )
  const reportsOver = ({ workspaces }: DefinitionFiles, datasets: Set<string>) =>
    workspaces
      .flatMap(({ reports }) => reports)
      .filter(({ definition }) => datasets.has(definition.dataset.toLowerCase()))
  const opened = new Set(
    reportsOver(before, idsOf(before, false)).map(({ definition }) => definition.id.toLowerCase()),
  )
  return reportsOver(after, idsOf(after, true))
    .map(({ path, definition: { id, name } }) => ({ id: id.toLowerCase(), name, path }))
    .filter(({ id }) => opened.has(id))
}

/** Plans where a unit's files go: into the folder with its id, otherwise one with its name. */
const planUnit = async (
  planned: Planned,
  unit: Unit,
  current: DefinitionFiles,
  targets: Map<string, string>,
) => {
  const { sources, remove, faults, unused } = planned
  const { dataset, workspace } = await readUnit(unit.folder)
  const own = unit.kind === 'datasets' ? dataset : workspace
  const inUse: { path: string; definition: { id: string } }[] = current[unit.kind]
  const isSame = (file: { definition: { id: string } }) =>
    file.definition.id.toLowerCase() === own?.definition.id.toLowerCase()
  const known = inUse.find(isSame)
  const target = known ? dirname(known.path) : join(unit.kind, unit.name)

  const wrongName = known ? undefined : nameFault(unit.name)
  if (wrongName) return void faults.push(`${unit.folder}: ${wrongName}`)
  const other = inUse.find(({ path }) => dirname(path) === target)
  if (own && other && !isSame(other))
    return void faults.push(
      `${unit.folder}: na pasta de dados, ${target} tem outro id (${other.definition.id}); dê outro nome à sua pasta`,
    )
  const rival = targets.get(target)
  if (rival) return void faults.push(`${unit.folder}: tem o mesmo destino que ${rival}`)
  targets.set(target, unit.folder)

  const names =
    unit.kind === 'datasets'
      ? ['dataset.json', ...Object.values(dataset?.definition.tables ?? {}).map(({ file }) => file)]
      : (await readdir(unit.folder)).filter((name) => name.endsWith('.json'))
  for (const name of names) {
    const source = join(unit.folder, name)
    const found = await lstat(source).catch(() => undefined)
    // The loader reports a missing file, with its position in the definition.
    if (found?.isFile()) sources.set(join(target, name), source)
    else if (found) faults.push(`${source}: não é um arquivo comum (atalhos não são aceitos)`)
  }
  if (!own) return
  if (unit.kind === 'datasets') {
    const isUnused = (name: string) => isDataFile(name) && !leftoverIn(name) && !names.includes(name)
    unused.push(...(await readdir(unit.folder)).filter(isUnused).map((name) => join(unit.folder, name)))
  }
  const before =
    unit.kind === 'datasets' ? dataOf(current, target) : renamed(current, target, workspace?.reports ?? [])
  remove.push(...before.filter((name) => !sources.has(name)))
}

const dataOf = ({ datasets }: DefinitionFiles, target: string) =>
  datasets
    .filter(({ path }) => dirname(path) === target)
    .flatMap(({ definition }) => Object.values(definition.tables).map(({ file }) => join(target, file)))

/** Returns the current files of the reports that are published again, whatever their new names. */
const renamed = (
  { workspaces }: DefinitionFiles,
  target: string,
  reports: { definition: { id: string } }[],
) => {
  const ids = new Set(reports.map(({ definition }) => definition.id.toLowerCase()))
  return workspaces
    .filter(({ path }) => dirname(path) === target)
    .flatMap((workspace) => workspace.reports)
    .filter(({ definition }) => ids.has(definition.id.toLowerCase()))
    .map(({ path }) => path)
}

/** Returns every definition and data file. */
const filesOf = async (dataDir: string): Promise<string[]> => {
  const found: string[] = []
  for (const part of ['datasets', 'workspaces']) {
    const entries = await readdir(join(dataDir, part), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    for (const entry of entries) {
      if (entry.isFile()) found.push(relative(dataDir, join(entry.parentPath, entry.name)))
    }
  }
  return found
}

const put = async (from: string, to: string, how: (from: string, to: string) => Promise<void>) => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await how(from, to)
}

/** Links a file for reading only; copies it to another disk. */
/** Copies and syncs a file: what is published must survive a power failure. */
const copyForGood = async (from: string, to: string) => {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  // The copy has the mode of the author's file, which may be read-only.
  await chmod(to, 0o600)
  const file = await open(to, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
