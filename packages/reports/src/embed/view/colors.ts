/** Colours are #rrggbb, or #rgb as an embedder may give them. */

/** The colour at `share` (0 to 1) along evenly spaced stops. */
export function colorAt(stops: readonly string[], share: number): string {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1)
  const before = Math.min(Math.floor(place), stops.length - 2)
  const [a, b] = [parts(stops[before] ?? ''), parts(stops[before + 1] ?? '')]
  const mixed = a.map((part, index) => Math.round(part + ((b[index] ?? part) - part) * (place - before)))
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Text that is read well on the colour: 4.5:1 and more. */
export function inkOn(color: string): string {
  const ground = luminance(color)
  const contrast = (ink: number) => (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05)
  const soft = ['#14212b', '#ffffff'].find((ink) => contrast(luminance(ink)) >= 4.5)
  // Between the two lie colours on which black alone is dark enough.
  return soft ?? '#000000'
}

function parts(color: string): number[] {
  const digits = color.slice(1)
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  return [0, 2, 4].map((start) => Number.parseInt(full.slice(start, start + 2), 16))
}

/** Relative luminance as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = parts(color).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
