/* One colour of a company, and what is drawn with it. Light and dark look share the ten shades. */

/** WCAG 2.2 AA for text. */
export const LEAST_CONTRAST = 4.5

/** The shade that buttons are filled with, in both looks: the colour itself. */
export const FILLED_SHADE = 8
/** The shade of links and icons in the dark look. */
export const ON_DARK_SHADE = 4

const WHITE = '#ffffff'
/** The page's background in the light look: darker than its cards, so the stricter of both. */
export const LIGHT_GROUND = '#f5f8f8'
/** The lightest background of text in the dark look (a card under the pointer). */
export const DARK_GROUND = '#243235'

type Triple = readonly [number, number, number]
/** OKLab: lightness from 0 to 1, and two axes of colour. */
type Lab = Triple

/** Returns the WCAG 2 contrast of two colours as `#rrggbb`, from 1 to 21. */
export const contrastOf = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

export interface ContrastCheck {
  /** Portuguese, for the screen. */
  what: string
  ratio: number
  passes: boolean
}

/**
 * Returns the measured contrasts of the colour. No colour passes with white and on a dark background
 * at once, so the dark look uses a light tone of it, which always passes.
 */
export const contrastChecks = (color: string): ContrastCheck[] =>
  [
    { what: 'Texto branco sobre a cor', ratio: contrastOf(WHITE, color) },
    { what: 'A cor sobre o fundo claro', ratio: contrastOf(color, LIGHT_GROUND) },
    {
      what: 'O tom claro da cor sobre o fundo escuro',
      ratio: contrastOf(toneOf(color, ON_DARK_SHADE), DARK_GROUND),
    },
  ].map((check) => ({ ...check, passes: check.ratio >= LEAST_CONTRAST }))

/** Returns '4,5:1', rounded down: a ratio just below the limit must not look like it. */
export const ratioText = (ratio: number): string =>
  `${(Math.floor(ratio * 10) / 10).toLocaleString('pt-BR', { minimumFractionDigits: 1 })}:1`

/** Returns the colour itself if it passes all checks, else the nearest darker one that does. */
export const nearestPassing = (color: string): string => {
  const [lightness, a, b] = labOf(color)
  return withLightness(lightness, 0, (value) => {
    const darker = hexOf([value, a, b])
    return contrastChecks(darker).every(({ passes }) => passes) ? darker : undefined
  })
}

/** Returns the ten shades of a colour, from almost white to darker than itself (Mantine's order). */
export const shadesOf = (color: string): string[] => {
  const [lightness, a, b] = labOf(color)
  const onDark = labOf(lightToneOf(color))
  return Array.from({ length: 10 }, (_, shade) => {
    if (shade === FILLED_SHADE) return color
    if (shade === ON_DARK_SHADE) return hexOf(onDark)
    if (shade > FILLED_SHADE) return hexOf([lightness * 0.83, a * 0.83, b * 0.83])
    // Lighter shades lead to white; the others from the light tone to the colour.
    return shade < ON_DARK_SHADE
      ? hexOf(between([0.985, 0, 0], onDark, LIGHTER[shade] ?? 0))
      : hexOf(between(onDark, [lightness, a, b], (shade - ON_DARK_SHADE) / (FILLED_SHADE - ON_DARK_SHADE)))
  })
}

/** How far the shades 0 to 3 are from white to the shade of the dark look. */
const LIGHTER = [0.08, 0.18, 0.42, 0.7]

const toneOf = (color: string, shade: number): string => shadesOf(color)[shade] ?? color

/** Returns the least light tone that passes on the dark background, and is lighter than the colour. */
const lightToneOf = (color: string): string => {
  const [lightness, a, b] = labOf(color)
  return withLightness(Math.max(lightness, 0.7), 1, (value) => {
    const tone = hexOf([value, a, b])
    return contrastOf(tone, DARK_GROUND) >= LEAST_CONTRAST ? tone : undefined
  })
}

/** Returns the first result of `attempt`, with the lightness going in small steps to `end`. */
const withLightness = (start: number, end: number, attempt: (lightness: number) => string | undefined) => {
  const steps = 400
  for (let step = 0; step < steps; step += 1) {
    const found = attempt(start + ((end - start) * step) / steps)
    if (found !== undefined) return found
  }
  return end === 0 ? '#000000' : WHITE
}

const between = ([l1, a1, b1]: Lab, [l2, a2, b2]: Lab, part: number): Lab => [
  l1 + (l2 - l1) * part,
  a1 + (a2 - a1) * part,
  b1 + (b2 - b1) * part,
]

const channelsOf = (color: string): Triple => {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255].map((channel) =>
    linearOf(channel / 255),
  ) as unknown as Triple
}

const linearOf = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
const gammaOf = (value: number): number =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055

const luminanceOf = (color: string): number => {
  const [red, green, blue] = channelsOf(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** @see https://bottosson.github.io/posts/oklab/ */
const labOf = (color: string): Lab => {
  const [r, g, b] = channelsOf(color)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

/** Returns the colour as `#rrggbb`, with less chroma where a screen cannot show it. */
const hexOf = ([lightness, a, b]: Lab): string => {
  for (let chroma = 1; chroma > 0; chroma -= 0.02) {
    const channels = linearChannelsOf([lightness, a * chroma, b * chroma])
    if (channels.every((channel) => channel > -0.0005 && channel < 1.0005)) return hexOfChannels(channels)
  }
  return hexOfChannels(linearChannelsOf([lightness, 0, 0]))
}

const linearChannelsOf = ([lightness, a, b]: Lab): number[] => {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

const hexOfChannels = (channels: number[]): string =>
  `#${channels
    .map((channel) => Math.round(255 * gammaOf(Math.min(1, Math.max(0, channel)))))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`
