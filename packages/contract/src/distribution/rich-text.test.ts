import { describe, expect, test } from 'vitest'
import { findRefusedLink, type Inline, parseRichText, plainTextOf } from './rich-text.ts'

const inlineOf = (text: string): Inline[] | undefined => {
  const [block] = parseRichText(text)
  return block?.kind === 'paragraph' ? block.lines[0] : undefined
}
const text = (words: string): Inline => ({ kind: 'text', text: words })

describe('parseRichText', () => {
  test('parseRichText returns paragraphs of lines, and both kinds of lists', () => {
    expect(parseRichText('Um\ndois\n\n- a\n* b\n1. c\n2) d\nfim')).toEqual([
      { kind: 'paragraph', lines: [[text('Um')], [text('dois')]] },
      { kind: 'list', isNumbered: false, items: [[text('a')], [text('b')]] },
      { kind: 'list', isNumbered: true, items: [[text('c')], [text('d')]] },
      { kind: 'paragraph', lines: [[text('fim')]] },
    ])
    expect(parseRichText(' \n\n ')).toEqual([])
  })

  test('parseRichText returns bold, italic and links, with and without a label', () => {
    const link = (href: string, label = href): Inline => ({ kind: 'link', href, children: [text(label)] })
    expect(inlineOf('Das **22h** às *4h*: [veja](https://a.b/c?d=1), https://a.b/x.')).toEqual([
      text('Das '),
      { kind: 'bold', children: [text('22h')] },
      text(' às '),
      { kind: 'italic', children: [text('4h')] },
      text(': '),
      link('https://a.b/c?d=1', 'veja'),
      text(', '),
      link('https://a.b/x'),
      text('.'),
    ])
    expect(inlineOf('2 * 3 * 4')).toEqual([text('2 * 3 * 4')])
  })

  test.each([
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert)',
    '[x](http://a.b)',
    '[x](https://banco@a.b)',
    '[x](/saidibi)',
    '**',
    '[]()',
  ])('parseRichText leaves %s as text', (words) => {
    expect(plainTextOf(words)).toBe(words)
    expect(JSON.stringify(parseRichText(words))).not.toContain('link')
  })

  test('parseRichText ends in time on a long text of marks', () => {
    for (const words of ['*'.repeat(2_000), '**a'.repeat(700), '[a]('.repeat(500), 'https://'.repeat(250)]) {
      const started = performance.now()
      parseRichText(words)
      findRefusedLink(words)
      expect(performance.now() - started).toBeLessThan(500)
    }
  })
})

test('findRefusedLink names the first link that is not https', () => {
  expect(findRefusedLink('[a](https://a.b) e [c](http://d.e)')).toBe('http://d.e')
  expect(findRefusedLink('[a](https://a.b) e (http://d.e) e [x]')).toBeUndefined()
  expect(findRefusedLink('[a](javascript:x)')).toBe('javascript:x')
  expect(findRefusedLink('[a](javascript:alert(1))')).toBe('javascript:alert(1')
  expect(findRefusedLink('[a](https://a.b/c_(d))')).toBe('https://a.b/c_(d')
})

test('plainTextOf returns the words without marks', () => {
  expect(plainTextOf('**Um** [dois](https://a.b)\ntrês\n\n- a\n- b')).toBe('Um dois três\n– a\n– b')
})
