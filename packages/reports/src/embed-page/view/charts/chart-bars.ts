import { isRecord } from '../../../definitions/is-record.ts'
import type { Cell, VisualData } from '../../../wire/embed-contract.ts'
import { colorAt, inkOn } from '../style/colors.ts'
import { drawnCell, numberOf } from '../style/column-format.ts'
import { shareOf, toneMarks } from '../style/conditional-formats.ts'
import { formatInFull, formatLabel } from '../style/format.ts'
import { valueColor } from '../style/value-formats.ts'
import { type ChartContext, DIMMED, isDimmed } from './chart-context.ts'
import type { ChartPlan, SeriesDrawing } from './chart-plan.ts'
import type { Part, Series } from './chart-series.ts'
import { fitsInside, insideSize } from './inside-labels.ts'

/** Adds what only bars have. */
export const barSeries = (drawing: SeriesDrawing): Part => {
  const { one, plan, data, room } = drawing
  return {
    barMaxWidth: Math.round(34 * room.text),
    barCategoryGap: '32%',
    ...(one.stack !== undefined && { stack: one.stack }),
    dimensions: data.columns,
    data: data.rows.map((row, at) => bar(row, at, drawing)),
    label: { show: plan.labelled, position: plan.horizontal ? 'right' : 'top', distance: 5 },
  }
}

/** Colours a bar by rule, value or sign, and rounds and labels its outer end. */
const bar = (row: Cell[], at: number, drawing: SeriesDrawing): Part => {
  const { one, above, plan, data, room, color } = drawing
  const cell = row[data.columns.indexOf(one.value)] ?? null
  const below = Number(cell) < 0
  const dimmed = isDimmed(room, at)
  const drawn = plan.single ? ownColor(row, at, drawing) : color
  const ends = isTop(row, one, above, data) && (one.stack === undefined || !below)
  return {
    value: row.map((one, index) => drawnCell(one, data.kinds[index])),
    itemStyle: {
      ...(drawn !== undefined && { color: drawn }),
      ...(dimmed && { opacity: DIMMED }),
      // Seams and rounded ends would hide thin bars.
      ...(one.stack !== undefined && plan.thick > 8 && { borderColor: room.theme.surface, borderWidth: 1 }),
      borderRadius: ends ? barEnd(plan, below) : 0,
      ...(isRecord(one.own.itemStyle) && one.own.itemStyle),
    },
    label: {
      ...(plan.stacked ? insideLabel(cell, drawing, dimmed) : outsideLabel(cell, at, drawing, dimmed)),
      ...(isRecord(one.own.label) && one.own.label),
    },
  }
}

const ownColor = (row: Cell[], at: number, { one, plan, data, room, color }: SeriesDrawing) => {
  const { theme, valueFormats } = room
  const value = row[data.columns.indexOf(one.value)]
  const tone = plan.tones[at]
  if (tone) return theme.toneFills[tone]
  if (plan.range) return colorAt(theme.scale.slice(1), shareOf(numberOf(value) ?? 0, plan.range))
  if (plan.signed) return Number(value) < 0 ? theme.below : theme.above
  const named = valueColor(String(row[data.columns.indexOf(one.category)]), valueFormats, theme.palette)
  // If rules match some bars, the others keep the default colour: a value's own could look like a
  // tone.
  return named && plan.tones.every((known) => !known) ? named : color
}

/** Labels the end of a bar; where the number does not fit, only the mark of its tone is shown. */
const outsideLabel = (cell: Cell, at: number, { one, plan, room }: SeriesDrawing, dimmed: boolean): Part => {
  const outside = plan.horizontal ? ['right', 'left'] : ['top', 'bottom']
  const tone = plan.tones[at]
  const mark = tone ? `{mark|${toneMarks[tone]}}` : ''
  const number = plan.labelled ? formatLabel(cell, one.format) : ''
  return {
    position: outside[Number(cell) < 0 ? 1 : 0],
    ...(dimmed && FAINT),
    ...(tone && {
      show: true,
      formatter: [mark, number].filter(Boolean).join(' '),
      rich: { mark: { color: room.theme.tones[tone], fontSize: plan.labelSize } },
    }),
  }
}

/** Labels of dimmed bars, still legible. */
const FAINT = { opacity: 0.7, fontWeight: 400 }

/** Labels a stacked bar inside, where the number fits. */
const insideLabel = (cell: Cell, { one, plan, room, color }: SeriesDrawing, dimmed: boolean): Part => {
  const { text } = room
  return {
    show: plan.inside && one.stack !== undefined && fitsInside(cell, one, plan, text) && !dimmed,
    position: 'inside',
    distance: 0,
    color: inkOn(color),
    fontSize: insideSize(text),
    formatter: formatLabel(cell, one.format),
  }
}

/** Returns whether no other series is stacked further out in this row. */
const isTop = (row: Cell[], one: Series, above: Series[], { columns }: VisualData) =>
  !above.some(
    ({ stack, value }) => stack === one.stack && stack !== undefined && Number(row[columns.indexOf(value)]),
  )

/** Corner radii, clockwise from the upper left. */
const barEnd = ({ horizontal, thick }: ChartPlan, below: boolean): number[] => {
  const round = Math.min(4, Math.floor(thick / 3))
  if (horizontal) return below ? [round, 0, 0, round] : [0, round, round, 0]
  return below ? [0, 0, round, round] : [round, round, 0, 0]
}

/** An invisible series that carries the stack totals and their line in the tooltip. */
export const totalSeries = (series: Series[], plan: ChartPlan, room: ChartContext): Part | undefined => {
  const { totals } = plan
  const one = series.find(({ stack }) => stack !== undefined)
  if (!totals || !one) return undefined
  const textOf = (sum: number | null | undefined) => (sum == null ? '' : formatLabel(sum, one.format))
  return {
    type: 'bar',
    name: 'Total',
    stack: one.stack,
    color: room.theme.muted,
    silent: true,
    data: plan.categories.map((name, at) => ({
      value: plan.horizontal ? [0, name] : [name, 0],
      label: isDimmed(room, at) ? FAINT : {},
    })),
    label: {
      show: true,
      position: plan.horizontal ? 'right' : 'top',
      distance: 5,
      color: room.theme.strong,
      fontSize: plan.labelSize,
      fontWeight: 600,
      formatter: ({ dataIndex }: { dataIndex: number }) => textOf(totals[dataIndex]),
    },
    tooltip: {
      valueFormatter: (_: unknown, dataIndex: number) => formatInFull(totals[dataIndex], one.format),
    },
    emphasis: { disabled: true },
  }
}
