import { CANVAS } from '../../definitions/canvas.ts'
import type { ReportFile } from '../../definitions/read-definitions.ts'

/** Overlap from which a visual counts as covered; less is a border or a margin. */
const SAME_PLACE = 0.5

type Box = ReportFile['definition']['pages'][number]['visuals'][number]['layout']

/** Returns remarks on visuals outside the canvas or covered by another. */
export const layoutRemarks = ({ path, definition }: ReportFile): string[] => {
  return definition.pages.flatMap(({ visuals }, page) =>
    visuals.flatMap(({ layout }, index) => {
      const place = `${path}: pages[${page}].visuals[${index}].layout`
      const below = visuals.slice(0, index).find((other) => shared(layout, other.layout) >= SAME_PLACE)
      return [
        beyond(layout, 'x', 'width', 'a largura'),
        beyond(layout, 'y', 'height', 'a altura'),
        below && `fica no mesmo lugar que o visual ${below.name}: um cobre o outro`,
      ]
        .filter((sentence) => sentence !== undefined)
        .map((sentence) => `${place}: ${sentence}`)
    }),
  )
}

const beyond = (layout: Box, at: 'x' | 'y', size: 'width' | 'height', name: string): string | undefined => {
  // Floating point: 1000.1 + 279.9 is slightly more than 1280.
  const end = Math.round((layout[at] + layout[size]) * 1000) / 1000
  return end > CANVAS[size]
    ? `sai da tela: ${at} + ${size} = ${layout[at]} + ${layout[size]} = ${end}, e ${name} é ${CANVAS[size]}`
    : undefined
}

/** Returns the fraction of the smaller box that overlaps the other: 0 to 1. */
const shared = (one: Box, other: Box): number => {
  const along = (at: 'x' | 'y', size: 'width' | 'height') =>
    Math.max(0, Math.min(one[at] + one[size], other[at] + other[size]) - Math.max(one[at], other[at]))
  const smaller = Math.min(one.width * one.height, other.width * other.height)
  return (along('x', 'width') * along('y', 'height')) / smaller
}
