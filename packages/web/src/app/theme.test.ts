import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import { describe, expect, test } from 'vitest'
import { cssVariables, theme } from './theme.ts'

const merged = mergeMantineTheme(DEFAULT_THEME, theme)
const [defaults, own] = [defaultCssVariablesResolver(merged), cssVariables(merged)]

type Color = [red: number, green: number, blue: number, alpha: number]

const colorOf = (scheme: 'light' | 'dark', name: string): Color => {
  const all: Record<string, string> = {
    ...defaults.variables,
    ...defaults[scheme],
    ...own.variables,
    ...own[scheme],
  }
  const text = all[name] ?? ''
  const variable = /^var\((--[\w-]+)\)$/.exec(text)?.[1]
  if (variable) return colorOf(scheme, variable)
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text)
  if (hex) return [...hex.slice(1).map((part) => Number.parseInt(part, 16)), 1] as Color
  const parts = /^rgba\(([\d., ]+)\)$/.exec(text)?.[1]?.split(',').map(Number)
  if (parts?.length !== 4) throw new Error(`${name} is ${text}`)
  return parts as Color
}

/** The relative luminance of WCAG. */
const luminance = (color: number[]) => {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const over = ([red, green, blue, alpha]: Color, below: Color) =>
  [red, green, blue].map((value, index) => value * alpha + (below[index] ?? 0) * (1 - alpha))

const contrast = (scheme: 'light' | 'dark', text: string, background: string, surface: string): number => {
  const behind = over(colorOf(scheme, background), colorOf(scheme, surface))
  const [least = 0, most = 0] = [luminance(colorOf(scheme, text)), luminance(behind)].sort((a, b) => a - b)
  return (most + 0.05) / (least + 0.05)
}

describe.each(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
  test.each(['yellow', 'red', 'teal'])('the title of a %s alert has the contrast of WCAG AA', (color) => {
    for (const surface of ['--surface-page', '--surface-raised']) {
      const background = `--mantine-color-${color}-light`
      expect(contrast(scheme, `${background}-color`, background, surface)).toBeGreaterThanOrEqual(4.5)
    }
  })
})
