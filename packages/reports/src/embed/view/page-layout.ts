import type { ISettings, IVisualLayout } from 'powerbi-models'
import { CANVAS } from '../../canvas.ts'

/** Frames up to this width stack the visuals in one column. */
const PHONE_WIDTH = 640
/** Under this scale the canvas can no longer be read: its visuals are stacked in two columns. */
const LEAST_SCALE = 0.62
/** Upright frames up to this width stack too: the canvas would leave half of them empty. */
const UPRIGHT_WIDTH = 1000

/** How the 1280 × 720 canvas meets the frame. Sizes are CSS pixels. */
export interface PageLayout {
  /** Visuals stacked at their natural height, in one column or, in wider frames, two. */
  phone: boolean
  columns: 1 | 2
  /** An upright phone, or an embedder that asks for one: the author's phone layout counts where the page has one. */
  portrait: boolean
  /** On paper, which is light. */
  printed: boolean
  /** Canvas unit → pixel, each way. */
  x: number
  y: number
  /** Factor on type sizes: follows the zoom fully and the frame within bounds, so that text stays readable. */
  text: number
  /** By visual: what the embedder moved, resized or hid. */
  moved?: Record<string, IVisualLayout>
}

export interface Size {
  width: number
  height: number
}

export function layOut(frame: Size, settings: ISettings, zoom: number, printed = false): PageLayout {
  const wide = frame.width / CANVAS.width
  const high = frame.height / CANVAS.height
  const narrow = frame.width <= PHONE_WIDTH
  const custom = settings.layoutType === 1
  const upright = frame.height > frame.width && frame.width <= UPRIGHT_WIDTH
  const small = !custom && !printed && (Math.min(wide, high) < LEAST_SCALE || upright)
  const phone = settings.layoutType === 2 || narrow || small
  const portrait = !printed && (settings.layoutType === 2 || (narrow && frame.height > frame.width))
  const base = { phone, columns: narrow ? 1 : 2, portrait, printed } as const
  if (phone) return { ...base, x: zoom, y: zoom, text: zoom }
  const display = settings.layoutType === 1 ? settings.customLayout?.displayOption : 0
  if (display === 2) return { ...base, x: zoom, y: zoom, text: zoom }
  const fit = display === 1 ? wide : Math.min(wide, high)
  // The page may be up to a quarter wider or higher than its own proportion: no empty bands in usual frames.
  const x = Math.min(wide, fit * STRETCH)
  const y = display === 1 ? wide : Math.max(Math.min(high, fit * STRETCH), LEAST_HEIGHT)
  const text = Math.min(Math.max(Math.sqrt(x * y), 0.86), 1.3)
  return { ...base, x: x * zoom, y: y * zoom, text: text * zoom }
}

const STRETCH = 1.25
/** Flatter frames scroll instead: under this, cards and axes no longer fit in their boxes. */
const LEAST_HEIGHT = 0.6

/** Of visuals in two columns: which take a whole row, for their own width or for want of a neighbour. */
export function wholeRows(visuals: readonly { layout: { width: number } }[]): boolean[] {
  const wide = visuals.map(({ layout }) => layout.width > WIDE)
  let half = false
  return wide.map((whole, index) => {
    if (half) {
      half = false
      return false
    }
    half = !whole && wide[index + 1] === false
    return !half
  })
}

/** Canvas units: visuals wider than that do not share a row of two. */
const WIDE = 720

/** Top to bottom, and left to right in what looks like one row. */
export function readingOrder<T extends { layout: { x: number; y: number } }>(visuals: readonly T[]): T[] {
  const rows: T[][] = []
  for (const visual of visuals.toSorted((a, b) => a.layout.y - b.layout.y)) {
    const row = rows.at(-1)
    if (row?.[0] && visual.layout.y - row[0].layout.y < SAME_ROW) row.push(visual)
    else rows.push([visual])
  }
  return rows.flatMap((row) => row.toSorted((a, b) => a.layout.x - b.layout.x))
}

/** Canvas units by which two visuals of one row may be out of line. */
const SAME_ROW = 24
