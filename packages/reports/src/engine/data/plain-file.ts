import { lstat } from 'node:fs/promises'
import { basename } from 'node:path'
import { SqlError } from '../definitions/definition-error.ts'

/** Characters that DuckDB treats as a pattern, or as its escape, in paths. */
export const PATTERN = /[*?[\]{}\\]/

/** Refuses links, which could lead out of the folder. */
export async function mustBePlain(file: string) {
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new SqlError(`o arquivo ${basename(file)} não existe`)
    throw error
  })
  if (!found.isFile())
    throw new SqlError(`${basename(file)} não é um arquivo comum (atalhos não são aceitos)`)
}

/** Escapes a path so that DuckDB takes it literally. A backslash cannot be escaped. */
export function exactly(path: string): string {
  if (path.includes('\\')) throw new SqlError('o caminho da pasta de dados não pode ter \\')
  return path.replace(/[*?[{}]/g, '[$&]')
}
