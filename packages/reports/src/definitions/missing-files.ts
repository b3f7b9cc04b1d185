import { readFile } from 'node:fs/promises'

export const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

/** Returns undefined for the error of a missing file or folder. @throws any other error */
export const unlessMissing = (error: unknown): undefined => {
  if (!hasCode(error, 'ENOENT')) throw error
}

/** Returns the text of a file; undefined if there is none. */
export const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch(unlessMissing)
