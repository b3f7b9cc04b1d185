import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/* The commands that the manual tells an operator to type: its fences of `sh`. */

interface ManualSection {
  title: string
  /** 2 for `##`, and so on. */
  level: number
  /** What the fences of the section hold, in order, without those of its subsections. */
  commands: string
}

const manual = join(import.meta.dirname, '../../docs/manual')

/**
 * Returns the sections of a chapter (`##`) that hold commands.
 * @param page such as `instalacao.md`
 */
export const sectionsOfChapter = (page: string, chapter: string): ManualSection[] => {
  const text = readFileSync(join(manual, page), 'utf8')
  // A heading is not inside of a fence, where `#` starts a comment.
  const parts = text.matchAll(/^(#+) ([^\n]+)$|^```(\w*)\n(.*?)^```$/gms)
  const sections: ManualSection[] = []
  for (const [, marks, title = '', language, body = ''] of parts) {
    const last = sections.at(-1)
    if (marks) sections.push({ title, level: marks.length, commands: '' })
    else if (last && language === 'sh') last.commands += body
  }
  const first = sections.findIndex(({ title, level }) => level === 2 && title === chapter)
  if (first < 0) throw new Error(`${page} has no chapter ${chapter}`)
  const next = sections.findIndex(({ level }, n) => n > first && level <= 2)
  return sections.slice(first, next < 0 ? undefined : next).filter(({ commands }) => commands)
}
