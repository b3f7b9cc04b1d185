import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../../platform/commands/command.ts'
import type { Config } from '../../../platform/config/config.ts'
import { copyValidated, isWhole } from '../contents/data-files.ts'
import type { BackupFile, Manifest } from '../contents/manifest.ts'
import { countReports, reportsText } from '../contents/report-files.ts'
import { listReportFiles } from '../contents/report-folder.ts'
import { type ArchiveOptions, withUnpacked, workName } from './restore-archive.ts'
import {
  assertWhole,
  type CopyOptions,
  copyCredentials,
  findCredentials,
  isOfReports,
  proveCopy,
} from './restore-backup.ts'

interface Options extends CopyOptions {
  /** The data folder of the report service, which must not run. */
  into: string
  /** Moves what is there into a hidden folder next to it. */
  replace?: boolean | undefined
}

/**
 * Restores the report service's part of a copy into its folder, where the service runs: the portal
 * need not reach it, and no database is touched. It may be run again after an interruption.
 * @throws CommandError when it cannot be restored here; the folder is unchanged then
 */
export const restoreReports = async (
  config: Pick<Config, 'appSecret' | 'dataDir'>,
  { into, replace = false, ...copy }: Options,
  tell: (sentence: string) => void,
): Promise<void> => {
  const { folder } = copy
  assertOwner(into)
  const { manifest, keysFolder } = proveCopy(config, copy)
  const files = manifest.arquivos.filter(({ caminho }) => isOfReports(caminho))
  assertHasService(manifest, files)
  await assertWhole(folder, files)
  const target = join(into, 'service.json')
  if (!replace) await assertFits(into, files)
  const place = { folder, keysFolder, target: replace ? undefined : target }
  const credentials = await findCredentials(manifest, place)
  if (!credentials && (replace || !existsSync(target))) {
    throw new CommandError(
      'A cópia não tem as credenciais do serviço de relatórios (keys/reports/service.json): procure outra, ou diga com --keys a pasta em que você as guardou.',
    )
  }
  if (replace) setAside(into, tell)
  const missing = files.filter((file) => !existsSync(join(into, pathInFolder(file))))
  for (const file of missing) {
    await copyValidated(join(folder, file.caminho), join(into, pathInFolder(file)), file)
  }
  if (credentials) await copyCredentials(credentials, target)
  const counts = reportsText(countReports(files.map(({ caminho }) => caminho)))
  tell(
    missing.length > 0 || credentials
      ? `Serviço de relatórios da cópia de ${manifest.criadaEm} restaurado em ${into}: ${counts}, conferidos. Inicie-o.`
      : `A pasta ${into} já tem o serviço de relatórios da cópia de ${manifest.criadaEm}: ${counts}, conferidos. Nada mudou.`,
  )
}

/** Does the same with an encrypted copy. */
export const restoreArchivedReports = (
  config: Config,
  { copy, keyFile, ...options }: ArchiveOptions & Omit<Options, 'folder' | 'origin'>,
  tell: (sentence: string) => void,
): Promise<void> => {
  assertOwner(options.into)
  const isKept = (path: string) => isOfReports(path) || !/^(files|tables)\//.test(path)
  return withUnpacked(config, options.into, { copy, keyFile, isKept }, (unpacked) =>
    restoreReports(config, { ...options, ...unpacked }, tell),
  )
}

/** @throws CommandError when no folder of keys can help: the copy was made without the service */
const assertHasService = ({ relatorios, credenciais }: Manifest, files: BackupFile[]): void => {
  const isIncomplete = relatorios === null
  if (!isIncomplete && (files.length > 0 || credenciais?.length !== 0)) return
  throw new CommandError(
    `A cópia ${isIncomplete ? 'está INCOMPLETA: ' : ''}não tem o serviço de relatórios. Procure outra; para restaurar só o portal, use --without-reports.`,
  )
}

const pathInFolder = ({ caminho }: BackupFile): string => caminho.replace(/^files\/reports\//, '')

/** Root's files would be closed to the service. A volume may belong to root; its group writes. */
const assertOwner = (into: string): void => {
  const found = statSync(into, { throwIfNoEntry: false })
  if (!found || (process.geteuid?.() === 0 ? found.uid === 0 : isWritable(into))) return
  throw new CommandError(
    `A pasta ${into} é de outro usuário: rode este comando como o usuário do serviço de relatórios.`,
  )
}

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** What is there must be what an interrupted restore of the same copy has left. */
const assertFits = async (into: string, files: BackupFile[]): Promise<void> => {
  if (!existsSync(into)) return
  const ofCopy = new Map(files.map((file) => [pathInFolder(file), file]))
  for (const path of listReportFiles(into)) {
    if (path === 'service.json') continue
    const file = ofCopy.get(path)
    if (file && (await isWhole(into, { ...file, caminho: path }))) continue
    throw new CommandError(
      `A pasta ${into} já tem relatórios (${path}): pare o serviço de relatórios e acrescente --replace, que guarda o que está nela ao lado.`,
    )
  }
}

const setAside = (into: string, tell: (sentence: string) => void): void => {
  if (!existsSync(into)) return
  const aside = join(into, `.antes-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`)
  const isKept = (name: string) => !name.startsWith('.antes-') && name !== workName && name !== 'lost+found'
  const names = readdirSync(into).filter(isKept)
  if (names.length === 0) return
  mkdirSync(aside, { mode: 0o700 })
  for (const name of names) renameSync(join(into, name), join(aside, name))
  tell(`O que estava em ${into} está agora em ${aside}: apague-o quando não precisar mais.`)
}
