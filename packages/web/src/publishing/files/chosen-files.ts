import {
  FOLDER_BYTES,
  isDataFile,
  isFileOfDefinitions,
  leftoverIn,
  MAX_DATA_FILES,
  MAX_FOLDER_FILES,
  MAX_UPLOAD_BYTES,
} from '@bi-manager/contract'
import { sizeText } from '../../lib/text/size-text.ts'
import type { ChosenFile } from '../../ui/file-drop/dropped-files.ts'
import { UnusableFile } from './unusable-file.ts'

/** `leftOut`: paths of files that are not sent; a folder that is not sent is named once. */
export type Chosen = { leftOut: string[] } & (
  | { kind: 'data'; files: File[] }
  /** Definitions with their data, as the command line publishes them. */
  | { kind: 'folder'; name: string; files: ChosenFile[] }
)

/**
 * Tells what was chosen: data files, or a folder or zip with definitions.
 * @throws UnusableFile
 */
export const chosenOf = async (given: ChosenFile[]): Promise<Chosen> => {
  const all = await withoutZip(given)
  const files = all.filter(({ path }) => leftoverIn(path) === undefined)
  const leftOutOf = (isSent: (file: ChosenFile) => boolean): string[] => [
    ...new Set(all.flatMap((one) => leftoverIn(one.path) ?? (isSent(one) ? [] : [one.path]))),
  ]
  if (files.some(({ path }) => path.endsWith('.json'))) {
    const isSent = ({ path }: ChosenFile) => isFileOfDefinitions(path)
    return { ...folderOf(files.filter(isSent)), leftOut: leftOutOf(isSent) }
  }
  // A single file gets a sentence about its own kind.
  const isSent = ({ path }: ChosenFile) => files.length === 1 || isDataFile(path)
  const data = files.filter(isSent)
  if (data.length === 0)
    throw new UnusableFile('Escolha arquivos CSV, XLSX ou Parquet, ou uma pasta com definições.')
  if (data.length > MAX_DATA_FILES)
    throw new UnusableFile(`Escolha até ${MAX_DATA_FILES} arquivos de dados. Estes são ${data.length}.`)
  return { kind: 'data', files: data.map(({ file }) => file), leftOut: leftOutOf(isSent) }
}

const withoutZip = async (files: ChosenFile[]): Promise<ChosenFile[]> => {
  const zips = files.filter(({ path }) => /\.zip$/i.test(path))
  const [zip] = zips
  if (!zip) return files
  if (files.length > 1) throw new UnusableFile('Escolha o zip sozinho, sem outros arquivos.')
  const { filesOfZip } = await import('./zip-files.ts')
  const inside = await filesOfZip(zip.file)
  // The folder of a dataset needs a name, which a zip of its files alone does not have.
  const isFlat = inside.some(({ path }) => !path.includes('/') && path.endsWith('.json'))
  const name = zip.file.name.replace(/\.zip$/i, '').replace(/[*?[\]{}\\]/g, '_')
  return isFlat ? inside.map(({ path, file }) => ({ path: `${name}/${path}`, file })) : inside
}

const folderOf = (files: ChosenFile[]) => {
  const loose = files.find(({ path }) => !path.includes('/'))
  if (loose)
    throw new UnusableFile(
      `${loose.path}: escolha a pasta inteira, ou um zip dela, e não os arquivos de dentro.`,
    )
  if (files.length > MAX_FOLDER_FILES)
    throw new UnusableFile(
      `A pasta tem ${files.length} arquivos; o limite é ${MAX_FOLDER_FILES}. Publique-a pela linha de comando.`,
    )
  const large = files.find(({ file }) => file.size > MAX_UPLOAD_BYTES)
  if (large)
    throw new UnusableFile(
      `${large.path} tem ${sizeText(large.file.size)}; o limite é ${sizeText(MAX_UPLOAD_BYTES)} por arquivo. Publique a pasta pela linha de comando.`,
    )
  const size = files.reduce((sum, { file }) => sum + file.size, 0)
  if (size > FOLDER_BYTES)
    throw new UnusableFile(
      `A pasta tem ${sizeText(size)}; o limite é ${sizeText(FOLDER_BYTES)}. Publique-a pela linha de comando.`,
    )
  const [name = 'Pasta'] = files[0]?.path.split('/') ?? []
  return { kind: 'folder' as const, name, files }
}
