import { readFile } from 'node:fs/promises'

export const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

/** For `catch`: without the file or folder, the result is undefined. */
export function unlessMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

/** Returns the text of a file; undefined if there is none. */
export const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch(unlessMissing)
