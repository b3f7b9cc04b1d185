import { describe, expect, test } from 'vitest'
import { type Mark, withMark } from './with-mark.ts'

/** Marks the part between | and |, and shows the new selection in the same way. */
const marked = (shown: string, mark: Mark): string => {
  const [before = '', chosen = '', after = ''] = shown.split('|')
  const start = before.length
  const result = withMark({ text: before + chosen + after, start, end: start + chosen.length }, mark)
  const { text, ...at } = result
  return `${text.slice(0, at.start)}|${text.slice(at.start, at.end)}|${text.slice(at.end)}`
}

describe('withMark', () => {
  test.each<[string, Mark, string]>([
    ['a |b| c', 'bold', 'a **|b|** c'],
    ['a| b |c', 'italic', 'a *|b|* c'],
    ['a ||', 'bold', 'a **|texto|**'],
    ['veja |isto|', 'link', 'veja [isto](https://||)'],
    ['||', 'link', '[|texto|](https://)'],
    ['um\ndo|is\ntr|ês', 'list', 'um\n- dois\n- três||'],
    ['- a||', 'list', '- a||'],
  ])('withMark marks %j as %s', (before, mark, after) => {
    expect(marked(before, mark)).toBe(after)
  })
})
