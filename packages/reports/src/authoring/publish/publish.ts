import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { readDefinitions } from '../../definitions/read-definitions.ts'
import type { Catalog } from '../../engine/data/catalog.ts'
import { createDatabaseProcess } from '../../engine/data/database/database-process.ts'
import { ownRows } from '../../engine/loading/author-rights.ts'
import { closeCatalog, loadCatalog } from '../../engine/loading/load-catalog.ts'
import { type Publisher, recordVersions } from '../versions/record-versions.ts'
import { filesOfVersions } from '../versions/version-files.ts'
import { layoutRemarks } from './check-layout.ts'
import { lostRules } from './lost-rules.ts'
import { type ClosedReport, type Prepared, prepare } from './prepare.ts'
import { commit, newFolder, withPublicationLock } from './publication.ts'

export type Settings = {
  dataDir: string
  memoryMegabytes: number
  /** Milliseconds since the epoch; by default the system's clock. */
  now?: () => number
  /** Whether faults may contain values of the author's data; true by default. */
  quotesData?: boolean
  /** Files of the folder that are copies of published ones. */
  copies?: ReadonlySet<string>
  /** Ids of the reports and datasets that the folder may change, in lower case; by default any. */
  mayChange?: ReadonlySet<string>
}
/** Portuguese sentences with file and position. A fault prevents publication, a remark does not. */
export type CheckResult = {
  faults: string[]
  remarks: string[]
  published: string[]
  /** Reports that open without a role before the publication, and not after it. */
  closed: ClosedReport[]
  concerned: Concerned
}
/** Ids of the folder's reports, and of all datasets that the check or the publication reads. */
export type Concerned = { reports: string[]; datasets: string[] }

/**
 * Checks a folder as if it were published, without publishing it. Reads no rows of published data:
 * unlike a publication, it needs no recent proof and leaves no audit line.
 */
export const check = async (settings: Settings, folder: string): Promise<CheckResult> => {
  const scratch = await mkdtemp(join(tmpdir(), 'bi-conferir-'))
  try {
    const prepared = await prepare(settings.dataDir, resolve(folder), scratch, settings)
    const { rows: _rows, ...result } = await checkDefinitions(settings, prepared)
    return { ...result, remarks: [...result.remarks, ...uncomparedRemarks(prepared)] }
  } finally {
    await rm(scratch, { recursive: true })
  }
}

const CHANGED = 'O relatório foi publicado por outra pessoa neste instante: confira-o e tente de novo.'

/**
 * Checks a folder and, without faults, publishes it atomically into the data folder, with a version
 * of each report that changes.
 * @param complete completes the folder under the lock; false: what it is made from has changed
 */
export const publish = async (
  settings: Settings,
  folder: string,
  publisher: Publisher = { author: '', origin: 'command' },
  complete: () => Promise<boolean> = async () => true,
): Promise<CheckResult> => {
  const { dataDir, now = Date.now } = settings
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return withPublicationLock(dataDir, async () => {
    if (!(await complete())) {
      const concerned = { reports: [], datasets: [] }
      return { faults: [CHANGED], remarks: [], published: [], closed: [], concerned }
    }
    const tree = await newFolder(dataDir)
    const prepared = await prepare(dataDir, resolve(folder), tree, settings)
    const checked = await checkDefinitions(settings, prepared)
    const onRows = checked.faults.length
      ? undefined
      : await checkOnPublishedRows(settings, prepared, checked.remarks)
    const { rows: ownRows, ...result } = checked
    if (!onRows || onRows.faults.length) {
      await rm(tree, { recursive: true })
      return { ...result, faults: [...result.faults, ...(onRows?.faults ?? [])] }
    }
    const rows = new Map([...ownRows, ...onRows.rows])
    const at = new Date(now()).toISOString()
    const versions = await recordVersions(prepared, { dataDir, publisher, rows, at })
    await commit(dataDir, {
      folder: tree,
      place: [...prepared.sources.keys(), ...versions.place],
      remove: [...prepared.remove, ...versions.remove],
    })
    return result
  })
}

/**
 * Removes a report, a dataset that no report uses, or a workspace without reports.
 * @returns its name, or the reason why it was not removed
 */
export const remove = async (
  { dataDir }: Settings,
  id: string,
): Promise<{ name?: string; reason?: string }> => {
  return withPublicationLock(dataDir, async () => {
    const { datasets, workspaces } = await readDefinitions(dataDir, () => {})
    const isIt = ({ definition }: { definition: { id: string } }) =>
      definition.id.toLowerCase() === id.toLowerCase()
    const reports = workspaces.flatMap((workspace) => workspace.reports)
    const report = reports.find(isIt)
    const dataset = datasets.find(isIt)
    const workspace = workspaces.find(isIt)
    const found = report ?? dataset ?? workspace
    if (!found) return { reason: `Nenhum relatório, conjunto de dados ou workspace tem o id ${id}.` }
    const users = dataset
      ? reports.filter(({ definition }) => definition.dataset.toLowerCase() === id.toLowerCase())
      : found === workspace
        ? workspace.reports
        : []
    if (users.length) return { reason: `Antes, retire: ${users.map(({ path }) => path).join(', ')}.` }
    const data = Object.values(dataset?.definition.tables ?? {}).map(({ file }) =>
      join(dirname(found.path), file),
    )
    const versions = found === report ? await filesOfVersions(dataDir, id) : []
    const files = [...data, found.path, ...versions]
    await commit(dataDir, { folder: await newFolder(dataDir), place: [], remove: files })
    return { name: found.definition.name }
  })
}

const QUERY_MS = 10_000

type Loading = Pick<Parameters<typeof loadCatalog>[0], 'rights' | 'compares'>

/** Loads a folder like the service; other datasets than `only` just reserve their ids. */
const loadTree = async (dataDir: string, only: string[], { memoryMegabytes }: Settings, loading: Loading) => {
  const databaseProcess = createDatabaseProcess({ memoryMegabytes })
  try {
    const catalog = await loadCatalog({
      dataDir,
      open: (timeZone) => databaseProcess.open({ memoryMegabytes, timeoutMs: QUERY_MS, timeZone }),
      only: new Set(only),
      ...loading,
    })
    const rows = await rowsOf(catalog)
    await closeCatalog(catalog)
    return { ...catalog, rows }
  } finally {
    await databaseProcess.close()
  }
}

/** Returns the rows of each loaded dataset's tables together, by id. */
const rowsOf = async ({ datasets }: Catalog): Promise<Map<string, number>> => {
  const rows = new Map<string, number>()
  for (const [id, { database, tables }] of datasets) {
    const counts = [...tables.values()].map(({ source }) => `(SELECT count(*) FROM ${source})`)
    const [[count] = []] = counts.length ? await database.query(`SELECT (${counts.join(' + ')})::DOUBLE`) : []
    rows.set(id, Number(count ?? 0))
  }
  return rows
}

type Checked = CheckResult & { rows: Map<string, number> }

/** Checks everything on the rows that the author brings, and on the columns of published data. */
const checkDefinitions = async (settings: Settings, prepared: Prepared): Promise<Checked> => {
  const { tree, sources, authored, authoredDatasets, datasets, closed, after } = prepared
  const { warnings, files, rows } = await loadTree(tree, datasets, settings, {
    rights: ownRows((path) => authored.has(path), settings.quotesData),
    compares: (id) => authoredDatasets.has(id),
  })
  const changed = after.datasets.filter(({ path }) => sources.has(path))
  const changedIds = changed.map(({ definition }) => definition.id.toLowerCase())
  const { faults, remarks } = sorted(prepared, changedIds, warnings, files)
  const concerned = concernedBy(prepared)
  const refused = changedOthers(settings, concerned)
  const lost = lostRules(prepared).map(({ path, said }) =>
    asAuthorKnows(`${path}: ${said}`, path, prepared.sources),
  )
  // A sent file may change only its own ids, and may not open rows that a folder has closed.
  const [unsafe, said] = settings.mayChange
    ? [lost.map((one) => `${one}. ${REPLACE_INSTEAD}`), []]
    : [[], lost]
  const result = {
    faults: [...prepared.faults, ...refused, ...unsafe, ...faults],
    remarks: [...said, ...remarks],
    published: [...sources.keys()],
    closed,
    concerned,
  }
  for (const report of after.workspaces.flatMap(({ reports }) => reports)) {
    if (!sources.has(report.path)) continue
    for (const remark of layoutRemarks(report))
      report.warn(remark, (sentence) => result.remarks.push(asAuthorKnows(sentence, report.path, sources)))
  }
  for (const path of prepared.unused)
    result.remarks.push(`${path}: nenhuma tabela de dataset.json usa este arquivo, e ele não é publicado`)
  // A file that the service would silently ignore must not be published.
  for (const name of sources.keys()) {
    if (name.endsWith('.json') && !files.has(name) && !result.faults.length)
      result.faults.push(`${sources.get(name)}: ${basename(name)} não seria usado pelo serviço`)
  }
  return { ...result, rows }
}

const concernedBy = ({ sources, datasets, after }: Prepared): Concerned => ({
  reports: after.workspaces
    .flatMap((workspace) => workspace.reports)
    .filter(({ path }) => sources.has(path))
    .map(({ definition }) => definition.id.toLowerCase()),
  datasets: [...new Set(datasets)],
})

/** Refuses other ids than the folder may change: its caller may replace nothing else. */
const changedOthers = ({ mayChange }: Settings, { reports, datasets }: Concerned): string[] => {
  const others = mayChange ? [...reports, ...datasets].filter((id) => !mayChange.has(id)) : []
  return others.map((id) => `Relatório: o id ${id} não é deste arquivo. Deixe os ids que a proposta traz.`)
}

const REPLACE_INSTEAD =
  'Este arquivo não traz papéis e mostraria todas as linhas a todos. Para trocar as linhas, use Substituir dados'

/**
 * Checks on published rows what the author brings no data for. The first fault only, in one
 * sentence for all causes: each difference between two answers would tell something of the rows.
 */
const checkOnPublishedRows = async (
  settings: Settings,
  prepared: Prepared,
  known: readonly string[],
): Promise<Pick<Checked, 'faults' | 'rows'>> => {
  const { tree, datasets, authoredDatasets } = prepared
  const published = datasets.filter((id) => !authoredDatasets.has(id))
  if (published.length === 0) return { faults: [], rows: new Map() }
  const { warnings, files, rows } = await loadTree(tree, published, settings, { compares: () => true })
  const found = sorted(prepared, published, warnings, files).faults
  // What the check without the rows said too depends on none of them.
  const independent = found.filter((fault) => known.includes(fault))
  const first = found.find((fault) => !known.includes(fault))
  if (first === undefined) return { faults: independent, rows }
  const [place = ''] = /^.*?\.json(?=: )(: pages\[\d+\]\.visuals\[\d+\](?=\.))?/.exec(first) ?? []
  return { faults: [...independent, `${place}: ${FAILS_ON_ROWS}`], rows }
}

const FAILS_ON_ROWS =
  'com as linhas já publicadas, a consulta falha, demora ou usa memória demais, ou dá outro resultado com o resumo. Para não revelar dados, a publicação não diz qual destes casos é, e só aponta o primeiro. Reveja a consulta (com resumo, some com sum(…) só colunas de sums), ou envie também os dados'

/**
 * Sorts the sentences of a load: one about a file that is left out is a fault, if the author brings
 * the file or if it is over one of these datasets.
 */
const sorted = (
  { sources, after }: Prepared,
  datasets: string[],
  warnings: string[],
  usable: ReadonlySet<string>,
): Pick<CheckResult, 'faults' | 'remarks'> => {
  const concerned = new Set([
    ...sources.keys(),
    ...after.workspaces
      .flatMap(({ reports }) => reports)
      .filter(({ definition }) => datasets.includes(definition.dataset.toLowerCase()))
      .map(({ path }) => path),
  ])
  const faults: string[] = []
  const remarks: string[] = []
  for (const warning of warnings) {
    const [path = ''] = /^.*?\.json(?=: )/.exec(warning) ?? []
    const isFault = !usable.has(path) && (concerned.has(path) || !path)
    ;(isFault ? faults : remarks).push(asAuthorKnows(warning, path, sources))
  }
  return { faults, remarks }
}

/** Says which comparisons with an aggregation table a check leaves to the publication. */
const uncomparedRemarks = ({ sources, after, authoredDatasets }: Prepared): string[] => {
  const remarks: string[] = []
  for (const { path, definition, warn } of after.workspaces.flatMap(({ reports }) => reports)) {
    if (!sources.has(path) || authoredDatasets.has(definition.dataset.toLowerCase())) continue
    for (const [index, { visuals }] of definition.pages.entries())
      for (const [position, { summary }] of visuals.entries()) {
        if (summary === undefined) continue
        const place = `${path}: pages[${index}].visuals[${position}].summary`
        warn(`${place}: ${comparedLater(summary)}`, (said) =>
          remarks.push(asAuthorKnows(said, path, sources)),
        )
      }
  }
  return remarks
}

const comparedLater = (summary: string) =>
  `o resultado com o resumo ${summary} só é comparado na publicação, porque a conferência não lê dados já publicados`

/** Replaces the path in the data folder by the author's own path. */
const asAuthorKnows = (sentence: string, path: string, sources: Map<string, string>) => {
  const source = sources.get(path)
  return source ? `${source}${sentence.slice(path.length)}` : sentence
}
