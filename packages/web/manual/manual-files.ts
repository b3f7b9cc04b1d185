import { basename, join, normalize, relative } from 'node:path'

const docs = join(import.meta.dirname, '../../../docs')
const inManual = /^manual[/\\][^/\\]+\.md$/
/** Outside the manual's folder; its pages refer to them. */
const others = ['auditoria.md', 'relatorios.md']

/** Returns whether the portal serves this Markdown file as a page of the manual. */
export const isManualFile = (file: string): boolean => {
  const path = relative(docs, file)
  return inManual.test(path) || others.includes(path)
}

/** Returns the address of a page of the manual; README.md is the list of pages. */
export const addressOf = (file: string): string => {
  const name = basename(file, '.md')
  return name === 'README' ? '/ajuda' : `/ajuda/${name}`
}

/** Returns the path of a file as readers of the repository know it: 'deploy/kubernetes'. */
export const pathInRepository = (file: string): string =>
  normalize(relative(join(docs, '..'), file)).replaceAll('\\', '/')
