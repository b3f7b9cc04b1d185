import { fontFamily } from './theme.ts'

/** Returns the width of a text in pixels; an estimate where there is no canvas. */
export const textWidth = (text: string, size: number, weight = 400): number => {
  cache.context ??= document.createElement('canvas').getContext('2d')
  const { context, widths } = cache
  if (!context) return text.length * size * AVERAGE_GLYPH
  const key = `${weight} ${size} ${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  context.font = `${weight} ${size}px ${fontFamily}`
  const { width } = context.measureText(text)
  if (widths.size >= MAX_KNOWN) widths.clear()
  widths.set(key, width)
  return width
}

/** Widths by weight, size and text: a page measures the same few texts often. */
const cache = { context: null as CanvasRenderingContext2D | null, widths: new Map<string, number>() }
const MAX_KNOWN = 5_000

export const widest = (texts: readonly string[], size: number, weight?: number) =>
  Math.max(0, ...texts.map((text) => textWidth(text, size, weight)))

/** Cuts the text to the width, with an ellipsis. */
export const cut = (text: string, width: number, size: number): string => {
  if (textWidth(text, size) <= width) return text
  let length = text.length - 1
  while (length > 1 && textWidth(`${text.slice(0, length)}…`, size) > width) length--
  return `${text.slice(0, length).trimEnd()}…`
}

/** Cuts the start of the text: the last digits of a key tell it from others. */
export const cutStart = (text: string, width: number, size: number): string => {
  if (textWidth(text, size) <= width) return text
  let start = 1
  while (start < text.length - 1 && textWidth(`…${text.slice(start)}`, size) > width) start++
  return `…${text.slice(start)}`
}

const AVERAGE_GLYPH = 0.58
