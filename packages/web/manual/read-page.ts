import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Marked, type RendererObject, type Tokens } from 'marked'
import { addressOf, isManualFile, pathInRepository } from './manual-files.ts'

/** Returns a function that computes the anchors of a page's headings as GitHub does. */
const slugs = (): ((heading: string) => string) => {
  const taken = new Map<string, number>()
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-')
    const count = taken.get(slug) ?? 0
    taken.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}

const SIGNATURE = '89504e470d0a1a0a'

/** Returns the size in pixels that a PNG file states. */
const pngSize = (path: string): { width: number; height: number } => {
  const bytes = readFileSync(path)
  if (bytes.toString('hex', 0, 8) !== SIGNATURE) throw new Error(`${path} is not a PNG.`)
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

export interface ManualHeading {
  /** Its anchor, as GitHub computes it. */
  id: string
  text: string
  /** 2 to 6. */
  depth: number
}

export interface ReadPage {
  title: string
  headings: ManualHeading[]
  /** HTML without the title; `%PICTURE_0%` is the place of the first picture's address. */
  html: string
  /** Paths of the pictures, relative to the file. */
  pictures: string[]
}

/**
 * Renders a page of the manual.
 * @throws when it has raw HTML, or a link or picture that the portal does not serve
 */
export const readPage = (markdown: string, file: string): ReadPage => {
  const page: ReadPage = { title: '', headings: [], html: '', pictures: [] }
  const marked = new Marked({
    gfm: true,
    renderer: { ...headingsOf(page), ...linksOf(file), ...picturesOf(page, file), ...blocks },
    walkTokens: (token) => {
      if (token.type === 'table') dropUnserved(token as Tokens.Table, file)
    },
  })
  page.html = marked.parse(markdown, { async: false })
  if (!page.title) throw new Error(`${file} has no title.`)
  return page
}

const headingsOf = (page: ReadPage): RendererObject => {
  const slugOf = slugs()
  return {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens, this.parser.textRenderer).trim()
      const id = slugOf(text)
      if (depth === 1) {
        page.title = text
        return ''
      }
      page.headings.push({ id, text, depth })
      // A link in a heading would be inside the heading's own.
      const content = this.parser.parseInline(tokens)
      if (content.includes('<a ')) throw new Error(`The heading '${text}' has a link.`)
      return `<h${depth} id="${escaped(id)}"><a href="#${escaped(id)}">${content}</a></h${depth}>\n`
    },
  }
}

const linksOf = (file: string): RendererObject => ({
  link({ href, tokens }) {
    const text = this.parser.parseInline(tokens)
    if (href.startsWith('#')) return `<a href="${escaped(href)}">${text}</a>`
    if (/^https?:\/\//.test(href))
      return `<a href="${escaped(href)}" target="_blank" rel="noopener noreferrer">${text}</a>`
    const [path = '', anchor] = href.split('#')
    if (!isPath(path)) throw new Error(`${file} links to ${href}.`)
    const target = join(dirname(file), path)
    if (!isManualFile(target)) return `${text} (<code>${escaped(pathInRepository(target))}</code>)`
    return `<a href="${escaped(addressOf(target) + (anchor ? `#${anchor}` : ''))}">${text}</a>`
  },
})

const picturesOf = (page: ReadPage, file: string): RendererObject => ({
  image({ href, text }) {
    if (!isPath(href) || !href.endsWith('.png')) throw new Error(`${file} shows ${href}.`)
    const { width, height } = pngSize(join(dirname(file), href))
    const address = `%PICTURE_${page.pictures.push(href) - 1}%`
    const size = `width="${width}" height="${height}"`
    const phone = height > width ? ' data-phone' : ''
    return `<a href="${address}" target="_blank"${phone}><img src="${address}" alt="${escaped(text)}" ${size} loading="lazy" decoding="async"></a>`
  },
})

const blocks: RendererObject = {
  html({ text }) {
    throw new Error(`Pages of the manual have no HTML: ${text}`)
  },
  // Narrow screens show each row as a card; the cells then carry their column's heading.
  table({ header, rows }) {
    const inlineOf = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens)
    const labels = header.map(({ tokens }) => this.parser.parseInline(tokens, this.parser.textRenderer))
    const headings = header.map((cell) => `<th scope="col">${inlineOf(cell)}</th>`).join('\n')
    const lines = rows.map((row) =>
      row.map((cell, index) => `<td data-label="${escaped(labels[index] ?? '')}">${inlineOf(cell)}</td>`),
    )
    const body = lines.map((cells) => `<tr>\n${cells.join('\n')}\n</tr>`).join('\n')
    return `<table>\n<thead>\n<tr>\n${headings}\n</tr>\n</thead>\n<tbody>\n${body}\n</tbody>\n</table>\n`
  },
}

/** Drops the rows about files that the portal does not serve, such as those of the list of pages. */
const dropUnserved = (table: Tokens.Table, file: string): void => {
  table.rows = table.rows.filter(([first]) => {
    const only = first?.tokens.length === 1 ? first.tokens[0] : undefined
    if (only?.type !== 'link') return true
    const [path = ''] = (only as Tokens.Link).href.split('#')
    return !isPath(path) || isManualFile(join(dirname(file), path))
  })
}

/** Returns whether it is a path relative to the file: no scheme, no other origin. */
const isPath = (href: string): boolean => /^[\w.-][\w./-]*$/.test(href)

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
