/*
 * The limited rich text of announcements: a small part of Markdown. Screens draw what `parseRichText`
 * returns as elements, never as HTML; what is not understood stays text.
 */

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'bold'; children: Inline[] }
  | { kind: 'italic'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }

export type Block =
  | { kind: 'paragraph'; lines: Inline[][] }
  | { kind: 'list'; isNumbered: boolean; items: Inline[][] }

/** `**bold**`, `*italic*`, `[text](https://…)` and bare addresses, whichever comes first. */
const mark =
  /\*\*(?=\S)(?<bold>[^*]+?)(?<=\S)\*\*|\*(?=\S)(?<italic>[^*]+?)(?<=\S)\*|\[(?<label>[^[\]]+)\]\((?<href>[^\s()]+)\)|(?<bare>https:\/\/[^\s<>()*[\]"']*[^\s<>()*[\]"'.,;:!?])/

const bullet = /^[-*•]\s+/
const number = /^\d{1,3}[.)]\s+/

/** Returns the paragraphs and lists of a text. */
export const parseRichText = (text: string): Block[] => {
  const blocks: Block[] = []
  let last: Block | undefined
  const begin = (block: Block) => {
    blocks.push(block)
    last = block
    return block
  }
  for (const line of text.split('\n').map((one) => one.trim())) {
    const found = bullet.exec(line) ?? number.exec(line)
    if (line === '') last = undefined
    else if (found) {
      const isNumbered = !bullet.test(line)
      const isSame = last?.kind === 'list' && last.isNumbered === isNumbered
      const list = isSame ? last : begin({ kind: 'list', isNumbered, items: [] })
      if (list?.kind === 'list') list.items.push(parseInline(line.slice(found[0].length)))
    } else {
      const paragraph = last?.kind === 'paragraph' ? last : begin({ kind: 'paragraph', lines: [] })
      if (paragraph.kind === 'paragraph') paragraph.lines.push(parseInline(line))
    }
  }
  return blocks
}

const parseInline = (text: string): Inline[] => {
  const parts: Inline[] = []
  let rest = text
  for (let found = mark.exec(rest); found; found = mark.exec(rest)) {
    const before = rest.slice(0, found.index)
    if (before) parts.push({ kind: 'text', text: before })
    parts.push(partOf(found))
    rest = rest.slice(found.index + found[0].length)
  }
  if (rest) parts.push({ kind: 'text', text: rest })
  return parts
}

const partOf = ({ 0: whole, groups = {} }: RegExpExecArray): Inline => {
  const { bold, italic, label, href, bare } = groups
  if (bold !== undefined) return { kind: 'bold', children: parseInline(bold) }
  if (italic !== undefined) return { kind: 'italic', children: parseInline(italic) }
  const address = href ?? bare ?? ''
  if (!isHttps(address)) return { kind: 'text', text: whole }
  return { kind: 'link', href: address, children: [{ kind: 'text', text: label ?? address }] }
}

/** Whether an address is https, without a user, which could disguise the host. */
const isHttps = (address: string): boolean => {
  if (!address.startsWith('https://')) return false
  const url = URL.parse(address)
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
}

/** Returns the address of the first link that would stay text: it is not https, or has parentheses. */
export const findRefusedLink = (text: string): string | undefined =>
  Array.from(text.matchAll(/\[[^[\]\n]+\]\(([^)\n]*)\)/g), ([, href = '']) => href).find(
    (href) => /[\s(]/.test(href) || !isHttps(href),
  )

/** Returns the words without marks: a list in lines, each item with a dash. */
export const plainTextOf = (text: string): string =>
  parseRichText(text)
    .map((block) =>
      block.kind === 'paragraph'
        ? block.lines.map(wordsOf).join(' ')
        : block.items.map((item) => `– ${wordsOf(item)}`).join('\n'),
    )
    .join('\n')

const wordsOf = (parts: Inline[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : wordsOf(part.children))).join('')
