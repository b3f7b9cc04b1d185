import { isRecord } from '../../definitions/is-record.ts'
import { lightTheme, type ReportTheme } from '../view/style/theme.ts'
import { problem } from './problem.ts'

/**
 * Returns the theme that the embedder sends with `applyTheme` or in the load options. Undefined
 * without `themeJson`, as `resetTheme` sends it: the report then has its usual colours.
 * @throws 400 InvalidParameters
 */
export const readTheme = (input: unknown): ReportTheme | undefined => {
  if (!isRecord(input)) throw refused('O tema deve ser um objeto.')
  if (input.themeJson === undefined) return undefined
  const { themeJson } = input
  if (!isRecord(themeJson)) throw refused('themeJson deve ser um objeto.')
  const { name, dataColors } = themeJson
  const theme: ReportTheme = { name: typeof name === 'string' ? name.slice(0, 200) : '' }
  if (dataColors !== undefined) theme.dataColors = readColors(dataColors)
  for (const part of ['background', 'foreground', 'tableAccent'] as const) {
    if (themeJson[part] !== undefined) theme[part] = readColor(themeJson[part], part)
  }
  return theme
}

/**
 * Returns the answer to `getTheme`: the embedder's colours, and the light theme's for those that it
 * did not set, even on a dark page.
 */
export const describeTheme = (theme: ReportTheme | undefined) => ({
  themeJson: {
    name: 'BI Manager',
    dataColors: lightTheme.palette,
    background: lightTheme.surface,
    foreground: lightTheme.strong,
    tableAccent: lightTheme.palette[0],
    ...theme,
  },
})

const MAX_COLORS = 100

const refused = (detail: string) => problem(400, 'InvalidParameters', detail)

const readColors = (input: unknown): string[] => {
  if (!Array.isArray(input) || !input.length || input.length > MAX_COLORS)
    throw refused(`dataColors deve ser uma lista de 1 a ${MAX_COLORS} cores.`)
  return input.map((color) => readColor(color, 'dataColors'))
}

const readColor = (input: unknown, field: string): string => {
  if (typeof input === 'string' && /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(input)) {
    const digits = input.slice(1).toLowerCase()
    return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
  }
  throw refused(`${field} deve ser uma cor como #118DFF.`)
}
