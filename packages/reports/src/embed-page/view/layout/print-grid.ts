/** A visual's box on the canvas, in canvas units. `grows`: its height follows its rows. */
interface PrintedBox extends Box {
  grows: boolean
}

/**
 * Returns the canvas as a CSS grid whose lines are the edges of the visuals, so that long tables
 * continue on further pages and push down what follows. Unused space shrinks to the usual gap.
 * @param scale CSS pixels per canvas unit, vertically
 */
export const printGrid = (visuals: readonly PrintedBox[], scale: number) => {
  const across = tracks(visuals.map(({ x, width }) => [x, x + width]))
  const down = tracks(visuals.map(({ y, height }) => [y, y + height]))
  const growing = new Set(visuals.filter(({ grows }) => grows).map(({ y, height }) => y + height))
  return {
    columns: across.sizes.map((size) => `minmax(0, ${size}fr)`).join(' '),
    rows: down.sizes
      .map((size, index) => {
        const height = `${Math.round(size * scale)}px`
        return growing.has(down.edges[index + 1] ?? -1) ? `minmax(${height}, auto)` : height
      })
      .join(' '),
    /** One `grid-area` per visual. */
    areas: visuals.map(({ x, y, width, height }) =>
      [down.line(y), across.line(x), down.line(y + height), across.line(x + width)].join(' / '),
    ),
  }
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Extends visuals into the adjacent space that an unprinted visual leaves. */
export const widenIntoGaps = <T extends Box>(printed: readonly T[], left: readonly Box[]): T[] => {
  const start = Math.min(...printed.map(({ x }) => x))
  const end = Math.max(...printed.map(({ x, width }) => x + width))
  return printed.map((one) => {
    const beside = (boxes: readonly Box[]) => boxes.filter((box) => box !== one && besides(box, one))
    const [neighbours, room] = [beside(printed), beside(left)]
    const right = one.x + one.width
    const x = room.some((box) => box.x < one.x) && !neighbours.some((box) => box.x < one.x) ? start : one.x
    const reach =
      room.some((box) => box.x >= right) && !neighbours.some((box) => box.x >= right) ? end : right
    return { ...one, x, width: reach - x }
  })
}

/** They overlap vertically and not horizontally. */
const besides = (a: Box, b: Box) =>
  a.y < b.y + b.height && b.y < a.y + a.height && (a.x + a.width <= b.x || b.x + b.width <= a.x)

/** Canvas units between two neighbours. */
const GAP = 16

const tracks = (spans: readonly (readonly [start: number, end: number])[]) => {
  const edges = [...new Set(spans.flat())].sort((a, b) => a - b)
  const sizes = edges.slice(1).map((edge, index) => {
    const start = edges[index] ?? 0
    const isUsed = spans.some(([from, to]) => from <= start && to >= edge)
    return isUsed ? edge - start : Math.min(edge - start, GAP)
  })
  /** Grid lines count from 1. */
  return { edges, sizes, line: (edge: number) => edges.indexOf(edge) + 1 }
}
