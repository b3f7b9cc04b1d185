import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type CheckResult, type Concerned, publish, type Settings } from '../publish/publish.ts'
import { hasSameData } from '../versions/report-state.ts'
import { keptBytes, keptData, type Version } from '../versions/version-files.ts'
import { isUnchanged, type Published } from './find-published.ts'
import { inWorkFolder } from './work-folder.ts'

export type Outcome = Pick<CheckResult, 'faults' | 'remarks'> & { concerned?: Concerned }

/** What restoring a version does with the data: it has today's, brings its own back, or cannot. */
type VersionData = 'current' | 'kept' | 'none'

/** @param kept digests of the data files that the report's versions keep */
export const dataOfVersion = (
  { dataset }: Pick<Version, 'dataset'>,
  current: Pick<Version, 'report' | 'dataset'>,
  kept: ReadonlySet<string>,
): VersionData => {
  if (dataset.id !== current.dataset.id) return 'none'
  if (dataset.text === current.dataset.text && hasSameData({ report: '', dataset }, current)) return 'current'
  // Roles, and other reports over the data, decide as they are today.
  if (!dataset.isOwn || !current.dataset.isOwn) return 'none'
  const inPlace = new Set(current.dataset.files.map(({ digest }) => digest))
  return dataset.files.every(({ digest }) => kept.has(digest) || inPlace.has(digest)) ? 'kept' : 'none'
}

/** Publishes a version again, in the report's place and workspace of today, as a new version. */
export const restoreVersion = async (
  settings: Settings,
  published: Published,
  version: Version,
  { withData, author }: { withData: boolean; author: string },
): Promise<Outcome> => {
  const { dataDir } = settings
  const { state, path, workspace } = published
  const kept = await keptBytes(dataDir, state.id)
  const data = dataOfVersion(version, state, new Set(kept.keys()))
  if (version.dataset.id !== state.dataset.id) return { faults: [otherDataset(version)], remarks: [] }
  if (withData && data === 'none')
    return { faults: [`Os dados da versão ${version.number} não podem mais ser restaurados.`], remarks: [] }
  return inWorkFolder(dataDir, async (folder) => {
    const areaFolder = join(folder, 'area')
    await mkdir(areaFolder)
    const { id, name } = workspace
    await writeFile(join(areaFolder, 'workspace.json'), JSON.stringify({ id, name }, null, 2))
    await writeFile(join(areaFolder, basename(path)), version.report)
    if (withData && data === 'kept') {
      const dataFolder = join(folder, 'dados')
      await mkdir(dataFolder)
      await writeFile(join(dataFolder, 'dataset.json'), version.dataset.text)
      for (const file of version.dataset.files)
        await copyFile(join(dataDir, placeOf(file.digest)), join(dataFolder, file.name))
    }
    const what = data === 'current' ? '' : withData ? ', com os dados' : ', sem os dados'
    const note = `Versão ${version.number} restaurada${what}`
    const publisher = { author, origin: 'portal' as const, note }
    const complete = () => isUnchanged(dataDir, published)
    // The data is published, or was.
    const copies = new Set(version.dataset.files.map(({ name }) => resolve(folder, 'dados', name)))
    const { faults, remarks, concerned } = await publish({ ...settings, copies }, folder, publisher, complete)
    const known = (sentence: string) => sentence.replaceAll(join(areaFolder, basename(path)), 'Relatório')
    return { faults: faults.map(known), remarks: remarks.map(known), concerned }
  })

  /** Some files of a dataset may be the same today. */
  function placeOf(digest: string): string {
    if (kept.has(digest)) return keptData(state.id, digest)
    const file = state.dataset.files.find((one) => one.digest === digest)
    return state.paths.get(file?.name ?? '') ?? ''
  }
}

/** Another dataset has other rows and roles: a restoration would change who sees what. */
const otherDataset = ({ number }: Version) =>
  `A versão ${number} usa outro conjunto de dados, com outros dados e papéis de segurança. Para voltar a ela, publique a definição de novo.`
