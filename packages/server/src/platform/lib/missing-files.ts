import { readFileSync } from 'node:fs'

/** Returns undefined for the error of a missing file. @throws any other error */
export const noneIfMissing = (error: unknown): undefined => {
  if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
}

/** Returns the text of a file; undefined when it is missing. */
export const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return noneIfMissing(error)
  }
}
