import { foldForSearch } from '@bi-manager/contract'
import { matchesSearch } from '../../lib/text/search-text.ts'
import type { ManualPage } from './manual-pages.ts'

/** The text under one heading of a page, without the text under its subheadings. */
interface ManualSection {
  page: string
  /** Equals `page` for the text above the first heading. */
  heading: string
  to: string
  text: string
}

/** A part of an excerpt; marked parts have a searched word. */
export interface ExcerptPart {
  text: string
  isMarked: boolean
}

interface ManualResult extends Omit<ManualSection, 'text'> {
  excerpt: ExcerptPart[]
}

export const RESULTS_SHOWN = 40
const WORDS_BEFORE = 8
const WORDS_SHOWN = 32

/** Returns the sections of a page, in its order. */
export const sectionsOf = ({ slug, title, html }: ManualPage): ManualSection[] => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  let last: ManualSection = { page: title, heading: title, to: `/ajuda/${slug}`, text: '' }
  const sections = [last]
  for (const element of body.children) {
    const text = element.textContent.trim()
    if (/^H[2-6]$/.test(element.tagName)) {
      last = { page: title, heading: text, to: `/ajuda/${slug}#${element.id}`, text: '' }
      sections.push(last)
    } else last.text += `${text} `
  }
  return sections
}

/** Returns the sections that have every word, those first whose heading has them all. */
export const searchManual = (
  sections: readonly ManualSection[],
  search: string,
): { total: number; shown: ManualResult[] } => {
  const found = sections
    .filter(({ page, heading, text }) => matchesSearch(`${page} ${heading} ${text}`, search))
    .map((section) => ({ section, rank: rankOf(section, search) }))
    .toSorted((a, b) => a.rank - b.rank)
  const shown = found.slice(0, RESULTS_SHOWN).map(({ section: { text, ...place } }) => ({
    ...place,
    excerpt: excerptOf(text, search),
  }))
  return { total: found.length, shown }
}

const rankOf = ({ page, heading, text }: ManualSection, search: string): number => {
  if (matchesSearch(heading, search)) return 0
  if (matchesSearch(`${page} ${heading}`, search)) return 1
  return matchesSearch(text, search) ? 2 : 3
}

/** Returns the text around the first searched word. */
export const excerptOf = (text: string, search: string): ExcerptPart[] => {
  const wanted = foldForSearch(search).split(/\s+/).filter(Boolean)
  const words = text
    .trim()
    .split(/\s+/)
    .map((word) => {
      const plain = foldForSearch(word)
      return { text: word, isMarked: wanted.some((one) => plain.includes(one)) }
    })
  const start = Math.max(0, words.findIndex(({ isMarked }) => isMarked) - WORDS_BEFORE)
  const shown = words.slice(start, start + WORDS_SHOWN)
  const parts: ExcerptPart[] = start > 0 ? [{ text: '… ', isMarked: false }] : []
  for (const { text: word, isMarked } of shown) {
    parts.push({ text: word, isMarked }, { text: ' ', isMarked: false })
  }
  if (start + WORDS_SHOWN < words.length) parts.push({ text: '…', isMarked: false })
  return joined(parts)
}

/** Joins neighbouring parts of the same kind. */
const joined = (parts: ExcerptPart[]): ExcerptPart[] =>
  parts.reduce<ExcerptPart[]>((before, part) => {
    const last = before.at(-1)
    if (last?.isMarked === part.isMarked) last.text += part.text
    else before.push({ ...part })
    return before
  }, [])
