export type Mark = 'bold' | 'italic' | 'list' | 'link'

interface Selection {
  text: string
  /** The selected part: characters from the beginning. */
  start: number
  end: number
}

/** Returns the text with the selection marked; what is to be typed next is selected. */
export const withMark = ({ text, start, end }: Selection, mark: Mark): Selection => {
  if (mark === 'list') return withList({ text, start, end })
  const chosen = text.slice(start, end).trim()
  const at = chosen ? start + text.slice(start, end).indexOf(chosen) : start
  const words = chosen || 'texto'
  const [before, after] = mark === 'link' ? ['[', '](https://)'] : mark === 'bold' ? ['**', '**'] : ['*', '*']
  const marked = text.slice(0, at) + before + words + after + text.slice(at + chosen.length)
  // After a link the address follows, unless the label is still to be typed.
  if (mark === 'link' && chosen) {
    const address = at + before.length + words.length + '](https://'.length
    return { text: marked, start: address, end: address }
  }
  return { text: marked, start: at + before.length, end: at + before.length + words.length }
}

/** Makes each line of the selection an item. */
const withList = ({ text, start, end }: Selection): Selection => {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const to = next < 0 ? text.length : next
  const items = text
    .slice(from, to)
    .split('\n')
    .map((line) => (line.startsWith('- ') ? line : `- ${line}`))
    .join('\n')
  return {
    text: text.slice(0, from) + items + text.slice(to),
    start: from + items.length,
    end: from + items.length,
  }
}
