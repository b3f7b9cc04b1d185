import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Subfolder of the data folder for the state of publications. */
export const PUBLICATION_DIR = '.publicacao'
/** Contains a new random text after each publication; running services poll it. */
export const MARK_FILE = 'ultima.json'
/** Exists from the commit of a publication until all of its files are in place. */
export const PLAN_FILE = 'plano.json'

export const publicationMark = (dataDir: string) => textOf(join(dataDir, PUBLICATION_DIR, MARK_FILE))
export const readPlan = (dataDir: string) => textOf(join(dataDir, PUBLICATION_DIR, PLAN_FILE))

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
