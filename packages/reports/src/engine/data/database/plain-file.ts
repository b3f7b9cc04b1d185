import { lstat } from 'node:fs/promises'
import { basename } from 'node:path'
import { DefinitionError } from '../../../definitions/definition-error.ts'

/** Characters that DuckDB treats as a pattern, or as its escape, in paths. */
export const GLOB_CHARACTERS = /[*?[\]{}\\]/

/** Refuses links, which could lead out of the folder. */
export const requirePlainFile = async (file: string) => {
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new DefinitionError(`o arquivo ${basename(file)} não existe`)
    throw error
  })
  if (!found.isFile())
    throw new DefinitionError(`${basename(file)} não é um arquivo comum (atalhos não são aceitos)`)
}

/** Escapes a path so that DuckDB takes it literally. A backslash cannot be escaped. */
export const escapeGlob = (path: string): string => {
  if (path.includes('\\')) throw new DefinitionError('o caminho da pasta de dados não pode ter \\')
  return path.replace(/[*?[{}]/g, '[$&]')
}
