/** Colours are #rrggbb, or #rgb from an embedder. */

/** Mixes two colours; `share` is that of the first. */
export const mix = (one: string, other: string, share: number): string => {
  const [a, b] = [channels(one), channels(other)]
  const mixed = a.map((value, index) => Math.round(value * share + (b[index] ?? 0) * (1 - share)))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** Returns the colour at `share` (0 to 1) along evenly spaced stops. */
export const colorAt = (stops: readonly string[], share: number): string => {
  const position = Math.min(Math.max(share, 0), 1) * (stops.length - 1)
  const before = Math.min(Math.floor(position), stops.length - 2)
  return mix(stops[before + 1] ?? '', stops[before] ?? '', position - before)
}

/** Returns a text colour with a contrast of at least 4.5:1. */
export const inkOn = (color: string): string => {
  const ground = luminance(color)
  const contrast = (ink: number) => (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05)
  const soft = ['#14212b', '#ffffff'].find((ink) => contrast(luminance(ink)) >= 4.5)
  // For some medium colours, only pure black has enough contrast.
  return soft ?? '#000000'
}

/** Red, green and blue, from 0 to 255. */
export const channels = (color: string): number[] => {
  const digits = color.slice(1)
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  return [0, 2, 4].map((start) => Number.parseInt(full.slice(start, start + 2), 16))
}

/** Relative luminance, as defined by WCAG. */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
