import type { ICustomPageSize, ISettings, IVisualLayout } from 'powerbi-models'
import { CANVAS } from '../../../definitions/canvas.ts'
import type { ReportTheme } from '../style/theme.ts'

/** Frames up to this width (CSS pixels) stack the visuals in one column. */
const PHONE_WIDTH = 640
/** Below this scale the canvas is illegible: its visuals are stacked in two columns. */
const LEAST_SCALE = 0.62
/** Portrait frames up to this width stack too: the canvas would leave half of them empty. */
const UPRIGHT_WIDTH = 1000

/** How the 1280 × 720 canvas is placed in the frame. Sizes are CSS pixels. */
export interface PageLayout {
  /** Visuals are stacked at their natural height, in one column or, in wider frames, two. */
  isStacked: boolean
  columns: 1 | 2
  /** A portrait phone, or requested by the embedder: the author's phone layout applies. */
  portrait: boolean
  /** Printed, which is always light. */
  printed: boolean
  /** The page's size in canvas units, if the embedder set one. */
  canvas?: Size
  /** CSS pixels per canvas unit, horizontally and vertically. */
  x: number
  y: number
  /** Factor on font sizes: follows the zoom fully, and the frame within legible bounds. */
  text: number
  /** The embedder's colours, if it set some. */
  theme?: ReportTheme | undefined
  /** What the embedder moved, resized or hid, keyed by visual. */
  moved?: Record<string, IVisualLayout>
}

interface Size {
  width: number
  height: number
}

export const layOut = (frame: Size, settings: ISettings, zoom: number, printed = false): PageLayout => {
  const custom = settings.layoutType === CUSTOM
  const sized = custom ? customSize(settings) : undefined
  const canvas = sized ?? CANVAS
  const wide = frame.width / canvas.width
  const high = frame.height / canvas.height
  const narrow = frame.width <= PHONE_WIDTH && !sized
  const upright = frame.height > frame.width && frame.width <= UPRIGHT_WIDTH
  const small = !custom && !printed && (Math.min(wide, high) < LEAST_SCALE || upright)
  const isStacked = settings.layoutType === PHONE_PORTRAIT || narrow || small
  const portrait =
    !printed && (settings.layoutType === PHONE_PORTRAIT || (narrow && frame.height > frame.width))
  const base = { isStacked, columns: narrow ? 1 : 2, portrait, printed, ...(sized && { canvas }) } as const
  if (isStacked) return { ...base, x: zoom, y: zoom, text: zoom }
  const display = settings.layoutType === CUSTOM ? settings.customLayout?.displayOption : 0
  if (display === 2) return { ...base, x: zoom, y: zoom, text: zoom }
  const fit = display === 1 ? wide : Math.min(wide, high)
  // Stretches the page by up to a quarter, so that usual frames have no empty bands.
  const x = Math.min(wide, fit * STRETCH)
  const y = display === 1 ? wide : Math.max(Math.min(high, fit * STRETCH), LEAST_HEIGHT)
  const text = Math.min(Math.max(Math.sqrt(x * y), 0.86), 1.3)
  return { ...base, x: x * zoom, y: y * zoom, text: text * zoom }
}

/** Returns the page size that the embedder set, such as that of one visual; undefined without one. */
const customSize = ({ customLayout }: ISettings): Size | undefined => {
  const { type, width, height } = (customLayout?.pageSize ?? {}) as Partial<ICustomPageSize>
  const isSize = (value: unknown): value is number => typeof value === 'number' && value >= LEAST_SIZE
  return type === CUSTOM_SIZE && isSize(width) && isSize(height) ? { width, height } : undefined
}

/** powerbi-models' LayoutType. */
const CUSTOM = 1
const PHONE_PORTRAIT = 2
/** powerbi-models' PageSizeType. */
const CUSTOM_SIZE = 4
const LEAST_SIZE = 20

const STRETCH = 1.25
/** Flatter frames scroll instead: below this scale, cards and axes do not fit in their boxes. */
const LEAST_HEIGHT = 0.6

/** Returns which visuals take a whole row of two: wide ones, and those without a neighbour. */
export const wholeRows = (visuals: readonly { layout: { width: number } }[]): boolean[] => {
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

/** Canvas units: wider visuals do not share a row of two. */
const WIDE = 720

/** Orders visuals from top to bottom, and left to right within a row. */
export const readingOrder = <T extends { layout: { x: number; y: number } }>(visuals: readonly T[]): T[] => {
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
