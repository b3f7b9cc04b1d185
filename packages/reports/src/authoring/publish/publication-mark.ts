import { join } from 'node:path'
import { readIfThere } from '../../definitions/missing-files.ts'
import { PUBLICATION_DIR } from '../../definitions/publication-dir.ts'

/** Contains a new random text after each publication; running services poll it. */
export const MARK_FILE = 'ultima.json'
/** Exists from the commit of a publication until all of its files are in place. */
export const PLAN_FILE = 'plano.json'

export const publicationMark = (dataDir: string) => readIfThere(join(dataDir, PUBLICATION_DIR, MARK_FILE))
export const readPlan = (dataDir: string) => readIfThere(join(dataDir, PUBLICATION_DIR, PLAN_FILE))
