import { lstat } from 'node:fs/promises'
import { basename } from 'node:path'
import { SqlError } from './sql-check.ts'

/** What DuckDB reads in a path as a pattern, or as its escape. */
export const PATTERN = /[*?[\]{}\\]/

/** A link could lead out of the folder. */
export async function mustBePlain(file: string) {
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new SqlError(`o arquivo ${basename(file)} não existe`)
    throw error
  })
  if (!found.isFile())
    throw new SqlError(`${basename(file)} não é um arquivo comum (atalhos não são aceitos)`)
}

/** A path that DuckDB takes letter by letter; the data folder's own may hold anything but a backslash. */
export function exactly(path: string): string {
  if (path.includes('\\')) throw new SqlError('o caminho da pasta de dados não pode ter \\')
  return path.replace(/[*?[{}]/g, '[$&]')
}
