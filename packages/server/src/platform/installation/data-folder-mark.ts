import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeWhole } from '../config/key-file.ts'
import { readIfThere } from '../lib/missing-files.ts'

/** The installation that used the data folder last, and whether it was a restored test. */
const DataFolderMark = z.object({ instalacao: z.string(), ensaio: z.boolean() })
type DataFolderMark = z.infer<typeof DataFolderMark>

const fileOf = (dataDir: string): string => join(dataDir, 'installation.json')

/** Returns undefined for a folder that no portal has used. */
export const readDataFolderMark = (dataDir: string): DataFolderMark | undefined => {
  const text = readIfThere(fileOf(dataDir))
  return text === undefined ? undefined : DataFolderMark.parse(JSON.parse(text))
}

/** Ignores a read-only folder: it cannot hold data of another installation. */
export const writeDataFolderMark = (dataDir: string, mark: DataFolderMark): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeWhole(fileOf(dataDir), JSON.stringify(mark))
  } catch (error) {
    if (!['EROFS', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
