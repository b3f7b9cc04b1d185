import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BrandColor } from './appearance.ts'
import {
  contrastChecks,
  contrastOf,
  DARK_GROUND,
  FILLED_SHADE,
  LEAST_CONTRAST,
  LIGHT_GROUND,
  nearestPassing,
  ON_DARK_SHADE,
  ratioText,
  shadesOf,
} from './brand-colors.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  // The examples of https://webaim.org/resources/contrastchecker.
  ['#777777', '#ffffff', 4.48],
  ['#0000ff', '#ffffff', 8.59],
])('the contrast of %s on %s is measured by WCAG 2', (one, other, ratio) => {
  expect(contrastOf(one, other)).toBeCloseTo(ratio, 2)
  expect(contrastOf(other, one)).toBeCloseTo(ratio, 2)
})

test('a ratio is never rounded up to the limit', () => {
  expect([4.49, 4.5, 10, 21].map(ratioText)).toEqual(['4,4:1', '4,5:1', '10,0:1', '21,0:1'])
})

describe('any colour', () => {
  test('any colour has a nearest colour that passes every check, which is the colour itself if it passes', () => {
    fc.assert(
      fc.property(color, (chosen) => {
        const nearest = nearestPassing(chosen)
        expect(contrastOf('#ffffff', nearest)).toBeGreaterThanOrEqual(LEAST_CONTRAST)
        expect(contrastOf(nearest, LIGHT_GROUND)).toBeGreaterThanOrEqual(LEAST_CONTRAST)
        expect(BrandColor.safeParse(nearest).success).toBe(true)
        const passes = contrastChecks(chosen).every((check) => check.passes)
        expect(nearest === chosen).toBe(passes)
      }),
    )
  })

  test('any colour that passes has ten shades that get darker, with readable text in both looks', () => {
    fc.assert(
      fc.property(color.map(nearestPassing), (chosen) => {
        const shades = shadesOf(chosen)
        expect(shades).toHaveLength(10)
        for (const shade of shades) expect(shade).toMatch(/^#[0-9a-f]{6}$/)
        expect(shades[FILLED_SHADE]).toBe(chosen)
        // Links and icons of the dark look use this shade and lighter ones.
        for (const light of shades.slice(0, ON_DARK_SHADE + 1))
          expect(contrastOf(light, DARK_GROUND)).toBeGreaterThanOrEqual(LEAST_CONTRAST)
        // Text of the active link, and of tinted buttons, in the light look.
        for (const tint of shades.slice(0, 2))
          expect(contrastOf(shades[9] ?? '', tint)).toBeGreaterThanOrEqual(LEAST_CONTRAST)
        const onBlack = shades.map((shade) => contrastOf(shade, '#000000'))
        for (const [index, ratio] of onBlack.entries())
          expect(ratio).toBeLessThanOrEqual((onBlack[index - 1] ?? 21) + 0.05)
      }),
    )
  })
})

describe('BrandColor', () => {
  test.each([
    ['#FFCC00', 'Texto branco sobre a cor tem contraste de 1,5:1; o mínimo é 4,5:1.'],
    ['#767676', 'A cor sobre o fundo claro tem contraste de 4,2:1; o mínimo é 4,5:1.'],
  ])(
    'BrandColor refuses %s with the measured ratio, and offers the nearest colour that passes',
    (chosen, sentence) => {
      const { error } = BrandColor.safeParse(chosen)
      const nearest = nearestPassing(chosen.toLowerCase())
      expect(error?.issues.map(({ message }) => message)).toEqual([
        `${sentence} A cor mais próxima que passa é ${nearest}.`,
      ])
    },
  )

  test.each(['', 'red', '#fff', '#12345g', '#0b5c58ff', 'url(//evil)', '#0b5c58;}', null, 7])(
    'BrandColor refuses %j, which is no colour',
    (text) => {
      expect(BrandColor.safeParse(text).error?.issues[0]?.message).toBe('Informe a cor como #rrggbb.')
    },
  )

  test('BrandColor accepts capital letters', () => {
    expect(BrandColor.parse(' #0B5C58 ')).toBe('#0b5c58')
  })
})
