import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Below the data folder: what belongs to publications, beside the definitions and data themselves. */
export const PUBLICATION_DIR = '.publicacao'
/** Holds a new random text after each publication; running services look at it. */
export const MARK_FILE = 'ultima.json'
/** There as long as a publication is decided upon and not wholly in its place. */
export const PLAN_FILE = 'plano.json'

export const publicationMark = (dataDir: string) => textOf(join(dataDir, PUBLICATION_DIR, MARK_FILE))
export const committedPublication = (dataDir: string) => textOf(join(dataDir, PUBLICATION_DIR, PLAN_FILE))

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
