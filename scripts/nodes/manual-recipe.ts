import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns a code block of a chapter of the manual, 'Vários nós' by default. A block is named by its
 * first line, a comment: `# db2: promoção`, `; /etc/pgbouncer/pgbouncer.ini`.
 * @param replaced text of the manual (a host name, a path) → its replacement on this machine
 * @throws Error when no block has that name, or it lacks a text to replace
 */
export const recipe = (
  name: string,
  replaced: Record<string, string> = {},
  chapter = 'varios-nos',
): string => {
  const file = join(import.meta.dirname, '..', '..', 'docs', 'manual', `${chapter}.md`)
  const text = readFileSync(file, 'utf8')
  const blocks = [...text.matchAll(/^```[a-z]*\n([#;] (.*)\n[\s\S]*?)^```$/gm)]
  const block = blocks.find(([, , title]) => title === name)?.[1]
  if (!block) throw new Error(`docs/manual/${chapter}.md has no block named "${name}".`)
  return Object.entries(replaced).reduce((script, [from, to]) => {
    if (!script.includes(from)) throw new Error(`The block "${name}" does not contain "${from}".`)
    return script.replaceAll(from, to)
  }, block)
}
