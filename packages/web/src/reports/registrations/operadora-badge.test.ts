import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERADORAS } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { badgeOf, HUES } from './operadora-badge.ts'

test.each([
  ['BRADESCO', 'BR'],
  ['CNU', 'CN'],
  ['PARANA_CLINICAS', 'PC'],
  ['SANTA_CASA', 'SC'],
  ['Santa Casa de Misericórdia do Pará', 'SP'],
  ['Água Boa', 'AB'],
  ['Élan', 'EL'],
  ['X', 'X'],
  ['da', 'DA'],
  ['+ * -', '?'],
  ['𝒜bc', '𝒜B'],
])('the operadora badge abbreviates %s to %s', (operadora, initials) => {
  expect(badgeOf(operadora).initials).toBe(initials)
})

test('the operadora badge returns the same badge for every spelling of a name', () => {
  expect(badgeOf('PARANA_CLINICAS')).toEqual(badgeOf('PARANA_CLINICAS'))
  expect(badgeOf('Paraná Clínicas')).toEqual(badgeOf('PARANA_CLINICAS'))
})

test('the operadora badge gives the four operadoras different colours', () => {
  expect(new Set(OPERADORAS.map((operadora) => badgeOf(operadora).light.ground)).size).toBe(4)
})

test("the operadora badge gives each of the demo's reports a logo that differs in letters and colour", () => {
  const folder = join(import.meta.dirname, '../../../../reports/demo/workspaces')
  const names = globSync('*/!(workspace).json', { cwd: folder }).map(
    (file): string => JSON.parse(readFileSync(join(folder, file), 'utf8')).name,
  )
  expect(names).toHaveLength(10)
  const badges = names.map(badgeOf)
  expect(new Set(badges.map(({ initials }) => initials)).size).toBe(10)
  expect(new Set(badges.map(({ light }) => light.ground)).size).toBe(10)
})

test('the operadora badge uses every colour, with a contrast of at least 4.5:1 in both colour schemes', () => {
  const badges = Array.from({ length: 400 }, (_, index) => badgeOf(`Operadora ${index}`))
  expect(new Set(badges.map(({ light }) => light.ground)).size).toBe(HUES.length)
  for (const { light, dark } of badges) {
    expect(contrast(light.ground, light.text)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(dark.ground, dark.text)).toBeGreaterThanOrEqual(4.5)
  }
})

/** WCAG 2 contrast of two `hsl()` colours. */
const contrast = (a: string, b: string): number => {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}

const luminance = (colour: string): number => {
  const [hue = 0, saturation = 0, lightness = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  const chroma = (saturation / 100) * Math.min(lightness / 100, 1 - lightness / 100)
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12
    const value = lightness / 100 - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4)
}
