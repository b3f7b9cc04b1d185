import { isPageDark } from './color-scheme.ts'
import { channels, mix } from './colors.ts'
import { darkTheme, lightTheme, type ReportTheme, type Theme } from './theme.ts'

/**
 * Returns a function that applies the embedder's colours to the style sheet; undefined restores the
 * defaults.
 */
export const createColorStyle = (): ((theme: ReportTheme | undefined) => void) => {
  const { style } = document.documentElement
  let applied: string[] = []
  return (theme) => {
    for (const name of applied) style.removeProperty(name)
    const properties = theme ? styleProperties(theme) : {}
    for (const [name, value] of Object.entries(properties)) style.setProperty(name, value)
    applied = Object.keys(properties)
  }
}

/** Returns the colours of charts with those of the embedder; printed pages are always light. */
export const chartTheme = (theme: ReportTheme | undefined, printed: boolean): Theme => {
  const isGroundDark = () => (theme?.background ? isDark(theme.background) : isPageDark())
  return recolored(!printed && isGroundDark() ? darkTheme : lightTheme, theme, printed)
}

/** Returns the theme with the embedder's colours, and another name, so that charts redraw. */
const recolored = (house: Theme, theme: ReportTheme | undefined, printed: boolean): Theme => {
  if (!theme) return house
  const { dataColors = [], background = house.surface, foreground = house.strong } = theme
  const mixed = (share: number) => mix(foreground, background, share)
  // When there are fewer colours than series, the default ones follow.
  const palette = [...dataColors, ...house.palette.slice(dataColors.length)]
  const ground = !printed && (theme.background || theme.foreground)
  return {
    ...house,
    name: `${house.name} ${JSON.stringify(theme)}`,
    palette,
    ...(dataColors[0] && {
      below: dataColors[0],
      scale: [
        mix(dataColors[0], background, 0.14),
        mix(dataColors[0], background, 0.5),
        dataColors[0],
        mix(foreground, dataColors[0], 0.5),
      ],
    }),
    ...(dataColors[1] && { above: dataColors[1] }),
    ...(ground && {
      surface: background,
      strong: foreground,
      muted: mixed(0.72),
      axis: mixed(0.3),
      grid: mixed(0.12),
    }),
  }
}

const styleProperties = ({ dataColors, background, foreground, tableAccent }: ReportTheme) => {
  const properties: Record<string, string> = {}
  if (background || foreground) {
    const [back, front] = [background ?? '#ffffff', foreground ?? '#14212b']
    const mixed = (share: number) => mix(front, back, share)
    Object.assign(properties, {
      '--surface': back,
      '--ground': mixed(0.04),
      '--ink': front,
      '--ink-soft': mixed(0.85),
      '--muted': mixed(0.72),
      '--line': mixed(0.14),
      '--hairline': mixed(0.08),
      '--control': mixed(0.5),
      '--head': mixed(0.04),
      '--stripe': mixed(0.02),
      '--chip': mixed(0.08),
      '--bone': mixed(0.1),
      'color-scheme': isDark(back) ? 'dark' : 'light',
    })
    for (const [name, color] of Object.entries((isDark(back) ? darkTheme : lightTheme).tones)) {
      properties[`--${name}`] = color
      properties[`--${name}-soft`] = mix(color, back, 0.16)
    }
  }
  const accent = tableAccent ?? dataColors?.[0]
  if (accent) {
    const [back, front] = [background ?? '#ffffff', foreground ?? '#14212b']
    Object.assign(properties, {
      '--brand': accent,
      '--brand-dark': mix(front, accent, 0.2),
      '--brand-soft': mix(accent, back, 0.12),
      '--brand-line': mix(accent, back, 0.35),
    })
  }
  return properties
}

/** Compares the perceived brightness (Rec. 601) with the middle of its range. */
const isDark = (color: string): boolean => {
  const [red = 0, green = 0, blue = 0] = channels(color)
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128
}
