import { describe, expect, test } from 'vitest'
import type { EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { createCard, createVerdict } from '../visual/card.ts'
import { colorAt, inkOn } from './colors.ts'
import { type ConditionalFormat, toneOf } from './conditional-formats.ts'
import { darkTheme, lightTheme } from './theme.ts'

const loss: ConditionalFormat = {
  kind: 'rules',
  rules: [
    { operator: '<=', value: 0.8, tone: 'good' },
    { operator: '<=', value: 0.85, tone: 'warning' },
    { operator: '>', value: 0.85, tone: 'bad' },
  ],
}
const beyond: ConditionalFormat = {
  kind: 'rules',
  rules: [{ operator: '>', value: 9007199254740992, tone: 'bad' }],
}
const key: ConditionalFormat = {
  kind: 'rules',
  rules: [{ operator: '=', value: '9007199254740993', tone: 'good' }],
}
const state: ConditionalFormat = {
  kind: 'rules',
  rules: [{ operator: '=', value: 'Com atraso', tone: 'bad' }],
}

test.each([
  [loss, 0.8, 'good'],
  [loss, 0.81, 'warning'],
  [loss, 0.9, 'bad'],
  [loss, null, undefined],
  [state, 'Com atraso', 'bad'],
  [state, 'No prazo', undefined],
  [{ kind: 'scale' } as const, 0.9, undefined],
  [undefined, 0.9, undefined],
  [beyond, '9007199254740993', 'bad'],
  [beyond, '-9007199254740993', undefined],
  [key, '9007199254740993', 'good'],
  [key, '9007199254740994', undefined],
])('toneOf applies the first rule that matches: %#', (valueFormats, value, tone) => {
  expect(toneOf(valueFormats, value, valueFormats === state ? 'text' : 'number')).toBe(tone)
})

test('toneOf compares the digits of a code as a text', () => {
  const code: ConditionalFormat = { kind: 'rules', rules: [{ operator: '=', value: 123, tone: 'bad' }] }
  expect(toneOf(code, '00123', 'text')).toBeUndefined()
})

describe('a card', () => {
  const card = (conditional: EmbeddedVisual['conditional']): EmbeddedVisual => ({
    name: 'v',
    type: 'card',
    title: 'Sinistralidade',
    layout: { x: 0, y: 0, width: 300, height: 120 },
    format: { valor: 'percentual' },
    labels: {},
    option: { previous: 'anterior' },
    conditional,
    ignoresSelection: false,
    columns: [],
  })
  const data: VisualData = answerOf({
    columns: ['anterior', 'valor'],
    rows: [
      [0.6, 0.5],
      [0.5, 0.9],
      [0.9, 0.6],
    ],
    truncated: false,
  })

  test('a card names its tone in a word next to the mark', () => {
    const verdict = createVerdict(card({ valor: loss }), data)
    expect(verdict?.textContent).toBe('Bom')
    expect(verdict?.querySelector('svg')).not.toBeNull()
    expect(createVerdict(card({}), data)).toBeUndefined()
  })

  test.each([
    ['decimal1', 3.94, 3.86, 'even', 'estável ante período anterior'],
    ['moedaCurta', 32_140_000, 32_060_000, 'even', 'estável ante período anterior'],
    ['decimal1', 3.96, 3.86, 'bad', '+2,6% ante período anterior'],
    ['percentual', 0.81, 0.8, 'bad', '+1,0 p.p. ante período anterior'],
    ['decimal1', 4, 4, 'even', 'estável ante período anterior'],
  ] as const)(
    'a card evaluates a change by the formatted numbers: %s %d, %d',
    (valor, now, before, verdict, text) => {
      const visual = {
        ...card({}),
        format: { valor },
        option: { value: 'valor', previous: 'anterior', better: 'down' },
      }
      const rows = [[before, now]]
      const shown = createCard(visual, answerOf({ columns: ['anterior', 'valor'], rows, truncated: false }))
      expect(shown.querySelector('.card-change')?.textContent).toBe(text)
      expect(shown.querySelector('.delta')?.className.trim()).toBe(
        verdict === 'even' ? 'delta' : `delta ${verdict}`,
      )
    },
  )

  test('a card shows a share of the whole, or the position between minimum and maximum', () => {
    const share = (kind: 'bar' | 'scale') =>
      createCard(card({ valor: { kind } }), data)
        .querySelector<HTMLElement>('.card-gauge')
        ?.style.getPropertyValue('--share-of-it')
    expect([share('bar'), share('scale')]).toEqual(['60.0%', '25.0%'])
    expect(createCard(card({}), data).querySelector('.card-gauge')).toBeNull()
  })
})

describe('colours', () => {
  test('colours are mixed between stops', () => {
    expect(colorAt(['#000000', '#ffffff', '#ff0000'], 0.25)).toBe('#808080')
    expect(colorAt(['#000', '#ffffff'], 9)).toBe('#ffffff')
  })

  test('colours allow text with a contrast of 4.5:1 on all scales and series', () => {
    for (const { scale, palette } of [lightTheme, darkTheme]) {
      const grounds = [...Array.from({ length: 41 }, (_, step) => colorAt(scale, step / 40)), ...palette]
      for (const ground of grounds)
        expect(contrast(inkOn(ground), ground), ground).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('colours of tones have enough contrast on their background', () => {
    for (const { tones, toneFills, surface } of [lightTheme, darkTheme]) {
      for (const tone of Object.values(tones)) expect(contrast(tone, surface)).toBeGreaterThanOrEqual(4.5)
      for (const fill of Object.values(toneFills)) expect(contrast(fill, surface)).toBeGreaterThanOrEqual(3)
    }
  })
})

/** Contrast as defined by WCAG, implemented independently of the code under test. */
const contrast = (a: string, b: string): number => {
  const light = (color: string) => {
    const [r = 0, g = 0, bl = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl
  }
  const [more = 0, less = 0] = [light(a), light(b)].toSorted((x, y) => y - x)
  return (more + 0.05) / (less + 0.05)
}
