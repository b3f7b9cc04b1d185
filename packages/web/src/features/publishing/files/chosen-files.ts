import { DATA_FILE_BYTES, FOLDER_BYTES, MOST_DATA_FILES, MOST_FOLDER_FILES } from '@bi-manager/contract'
import { sizeText } from '../../../lib/text/size-text.ts'
import type { ChosenFile } from '../../../ui/file-drop/dropped-files.ts'
import { UnusableFile } from './unusable-file.ts'

export type Chosen =
  /** Each becomes a table. */
  | { kind: 'data'; files: File[] }
  /** Definitions with their data, as the command line publishes them. */
  | { kind: 'folder'; name: string; files: ChosenFile[] }

const isData = ({ path }: ChosenFile) => /\.(csv|txt|tsv|xlsx|xlsm|xlsb|xls|ods|parquet)$/i.test(path)
const isOfDefinitions = ({ path }: ChosenFile) => /\.(json|csv|tsv|txt|parquet|xlsx|xlsm)$/i.test(path)
/** Files that systems and editors leave in folders. */
const isHidden = ({ path }: ChosenFile) =>
  path.split('/').some((step) => step.startsWith('.') || step === '__MACOSX')

/**
 * Tells what was chosen: data files, or a folder or zip with definitions.
 * @throws UnusableFile
 */
export const chosenOf = async (given: ChosenFile[]): Promise<Chosen> => {
  const files = (await withoutZip(given)).filter((one) => !isHidden(one))
  const definitions = files.filter(({ path }) => path.endsWith('.json'))
  if (definitions.length > 0) return folderOf(files.filter(isOfDefinitions))
  const [first] = files
  // A single file gets a sentence about its own kind.
  const data = files.length === 1 && first ? [first] : files.filter(isData)
  if (data.length === 0)
    throw new UnusableFile('Escolha arquivos CSV, XLSX ou Parquet, ou uma pasta com definições.')
  if (data.length > MOST_DATA_FILES)
    throw new UnusableFile(`Escolha até ${MOST_DATA_FILES} arquivos de dados. Estes são ${data.length}.`)
  return { kind: 'data', files: data.map(({ file }) => file) }
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

const folderOf = (files: ChosenFile[]): Chosen => {
  const loose = files.find(({ path }) => !path.includes('/'))
  if (loose)
    throw new UnusableFile(
      `${loose.path}: escolha a pasta inteira, ou um zip dela, e não os arquivos de dentro.`,
    )
  if (files.length > MOST_FOLDER_FILES)
    throw new UnusableFile(
      `A pasta tem ${files.length} arquivos; o limite é ${MOST_FOLDER_FILES}. Publique-a pela linha de comando.`,
    )
  const large = files.find(({ file }) => file.size > DATA_FILE_BYTES)
  if (large)
    throw new UnusableFile(
      `${large.path} tem ${sizeText(large.file.size)}; o limite é ${sizeText(DATA_FILE_BYTES)} por arquivo. Publique a pasta pela linha de comando.`,
    )
  const size = files.reduce((sum, { file }) => sum + file.size, 0)
  if (size > FOLDER_BYTES)
    throw new UnusableFile(
      `A pasta tem ${sizeText(size)}; o limite é ${sizeText(FOLDER_BYTES)}. Publique-a pela linha de comando.`,
    )
  const [name = 'Pasta'] = files[0]?.path.split('/') ?? []
  return { kind: 'folder', name, files }
}
