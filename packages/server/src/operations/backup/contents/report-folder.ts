import { existsSync, readdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { noneIfMissing, readIfThere } from '../../../platform/lib/missing-files.ts'
import { serviceCredentials } from './data-files.ts'

interface ReportFile {
  /** The path in the backup. */
  caminho: string
  bytes: number
  content: AsyncIterable<Uint8Array>
}

export interface ReportFiles {
  origem: 'servico' | 'pasta'
  /** Portuguese: where they come from. */
  from: string
  bytes: number
  /** Yields each file in turn; its content must be read to the end. */
  read: () => AsyncGenerator<ReportFile, void>
}

/** Credentials are stored with the keys. */
export const placeOf = (path: string): string =>
  `reports/${path}` === serviceCredentials ? `keys/${serviceCredentials}` : `files/reports/${path}`

/** Reads them from the folder of a service that does not run, or that has no connection. */
export const filesInFolder = (folder: string): ReportFiles => {
  const paths = listReportFiles(folder)
  const sizeOf = (path: string) => statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0
  return {
    origem: 'pasta',
    from: `da pasta ${folder}`,
    bytes: paths.reduce((sum, path) => sum + sizeOf(path), 0),
    read: async function* () {
      const version = versionIn(folder)
      for (const path of paths) {
        const file = await open(join(folder, path)).catch(noneIfMissing)
        if (!file) continue
        try {
          const { size } = await file.stat()
          const content =
            size === 0 ? emptyContent() : file.createReadStream({ end: size - 1, autoClose: false })
          yield { caminho: placeOf(path), bytes: size, content }
        } finally {
          await file.close()
        }
      }
      if (versionIn(folder) !== version) throw new Error('a publication ended while the files were read')
    },
  }
}

async function* emptyContent(): AsyncGenerator<Uint8Array> {}

/** @throws Error when a publication is only half in place; the service completes it at its start */
const versionIn = (folder: string): string | undefined => {
  if (existsSync(join(folder, '.publicacao/plano.json'))) throw new Error('a publication is half in place')
  return readIfThere(join(folder, '.publicacao/ultima.json'))
}

/**
 * Returns the files that the service itself would send: not locks, drafts, exports and sign-ins.
 * A link inside them could lead outside; the service reads none.
 */
export const listReportFiles = (folder: string): string[] => {
  const below = (part: string): string[] => {
    if (!existsSync(join(folder, part))) return []
    return readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  }
  const visible = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  const folders = visible.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  // The service also reads these two where they are links to another place.
  const read = new Set([...folders, 'datasets', 'workspaces', '.publicacao/versoes'])
  return [
    ...visible.filter((entry) => entry.isFile()).map(({ name }) => name),
    ...[...read].flatMap(below),
  ].sort()
}
