import type { VisualData } from '../../../wire/embed-contract.ts'
import { formatCell, formatInFull, formatLabel, isMoney } from '../style/format.ts'
import { cut, cutStart, textWidth, widest } from '../style/text-width.ts'
import { fontFamily } from '../style/theme.ts'
import { valueColor, valueColors } from '../style/value-formats.ts'
import { type ChartContext, DIMMED, isDimmed } from './chart-context.ts'
import { merge, type Part, type Series } from './chart-series.ts'

/** Builds a donut with its total inside; the legend is next to it, or below in tall rooms. */
export const donutParts = (series: Series[], data: VisualData, room: ChartContext, given?: unknown): Part => {
  const [one] = series
  if (!one) return {}
  const { theme, valueFormats } = room
  const column = data.columns.indexOf(one.value)
  const names = data.rows.map((row) => String(row[data.columns.indexOf(one.category)]))
  const own = Array.isArray(given) && given.length ? given.map(String) : undefined
  const colors = own
    ? names.map((name, index) => valueColor(name, valueFormats, theme.palette) ?? own[index % own.length])
    : valueColors(names, valueFormats, theme.palette)
  const amounts = data.rows.map((row) => Number(row[column] ?? 0))
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  const share = (amount: number) => formatCell(total ? amount / total : 0, 'percentual')
  const shares = new Map(names.map((name, index) => [name, share(amounts[index] ?? 0)]))

  const { size, gap, columns } = listText(room, names.length)
  const shareWidth = textWidth('100,0%', size, 600) + 10
  const listHeight = Math.ceil(names.length / columns) * (size + gap)
  const { ring, legend } = place(room, widest(names, size) + shareWidth + MARK + 6, listHeight)
  // Fonts differ by a pixel between browsers, and a list with pages would hide its last line.
  const fits = room.printed || legend.height >= listHeight
  const width = legend.width / columns - (columns - 1) * gap
  const fullName = width - shareWidth - MARK
  // In a very small room whole names matter more: the tooltip shows the shares too.
  const withShares = fullName >= Math.min(58 * room.text, widest(names, size))
  const nameWidth = withShares ? fullName : width - MARK
  // The currency is in the second line, so that all totals have one font size.
  const money = isMoney(one.format)
  const sum = formatLabel(total, money ? 'curto' : one.format)
  const hole = ring.diameter * HOLE
  const whole = Math.round(18 * room.text)
  // Shrinks the total rather than touching the ring, down to a legible size.
  const sumSize = Math.floor(Math.min(whole, (whole * hole * 0.8) / textWidth(sum, whole, 600)))

  return {
    title: {
      show: one.format !== 'percentual' && sumSize >= 12 * room.text && hole > sumSize * 3,
      text: `{sum|${sum}}\n{word|${money ? 'R$, total' : 'Total'}}`,
      left: ring.x,
      top: ring.y,
      textAlign: 'center',
      textVerticalAlign: 'middle',
      padding: 0,
      textStyle: {
        rich: {
          sum: {
            fontSize: sumSize,
            lineHeight: sumSize * 1.25,
            fontWeight: 600,
            color: theme.strong,
            fontFamily,
          },
          word: {
            fontSize: Math.round(11 * room.text),
            lineHeight: 15 * room.text,
            fontWeight: 400,
            color: theme.muted,
            fontFamily,
          },
        },
      },
    },
    tooltip: {
      trigger: 'item',
      formatter: ({ name, dataIndex }: { name: string; dataIndex: number }) => {
        const cell = data.rows[dataIndex]?.[column] ?? 0
        return `${name}\n${formatInFull(cell, one.format)} (${share(Number(cell))})`
      },
    },
    legend: {
      show: true,
      type: fits ? 'plain' : 'scroll',
      orient: 'vertical',
      left: legend.x,
      top: legend.y,
      ...((!fits || columns > 1) && { height: legend.height }),
      icon: 'circle',
      padding: 0,
      itemWidth: 9,
      itemHeight: 9,
      itemGap: gap,
      formatter: (name: string) =>
        `{name|${(one.hasNumberNames ? cutStart : cut)(name, nameWidth, size)}}${withShares ? `{share|${shares.get(name) ?? ''}}` : ''}`,
      textStyle: {
        rich: {
          name: { width: nameWidth, color: theme.muted, fontSize: size, fontFamily },
          share: {
            width: shareWidth,
            align: 'right',
            color: theme.strong,
            fontWeight: 600,
            fontSize: size,
            fontFamily,
          },
        },
      },
    },
    series: series.map((given) =>
      merge(
        {
          type: 'pie',
          name: given.name,
          encode: { itemName: given.category, value: given.value },
          dimensions: data.columns,
          data: data.rows.map((row, index) => ({
            name: names[index],
            value: row,
            itemStyle: {
              color: colors[index],
              ...(isDimmed(room, index) && { opacity: DIMMED }),
            },
          })),
          center: [ring.x, ring.y],
          radius: [(ring.diameter / 2) * HOLE, ring.diameter / 2],
          itemStyle: { borderColor: theme.surface, borderWidth: 2, borderRadius: 3 },
          label: { show: false },
          labelLine: { show: false },
          emphasis: { scaleSize: 3 },
          cursor: room.pickable ? 'pointer' : 'default',
          // Pies ignore the chart's own duration.
          animationDuration: 350,
        },
        given.own,
      ),
    ),
  }
}

/** Inner radius divided by outer radius. */
const HOLE = 0.66
/** Pixels of the legend's dot and its distance to the name. */
const MARK = 16
const GAP = 20
/** The canvas cannot draw a smaller ring: nothing is left between its borders. */
const LEAST = 12

/**
 * The list's font size, the pixels between its lines, and its columns. On paper all values must
 * fit, so they shrink to a legible size and then take several columns.
 */
const listText = ({ width, height, text, printed }: ChartContext, count: number) => {
  const usual = { size: Math.round(12 * text), gap: 11, columns: 1 }
  const room = isTall({ width, height }) ? height * LIST_SHARE : height - 8
  if (!printed || count * (usual.size + usual.gap) <= room) return usual
  const columns = Math.ceil((count * LEAST_PITCH) / Math.max(room, LEAST_PITCH))
  const pitch = Math.max(LEAST_PITCH, Math.floor(room / Math.ceil(count / columns)))
  const size = Math.min(usual.size, Math.floor(pitch * 0.8))
  return { size, gap: Math.min(usual.gap, pitch - size), columns }
}

/** Pixels from line to line of the smallest printed list. */
const LEAST_PITCH = 10
/** Greatest share of the height for the legend of a tall chart, where it is below the ring. */
const LIST_SHARE = 0.45

const isTall = ({ width, height }: Pick<ChartContext, 'width' | 'height'>) => width < height * 1.15

const place = ({ width, height }: ChartContext, legendWidth: number, legendHeight: number) => {
  if (isTall({ width, height })) {
    const diameter = Math.max(
      Math.min(width - 16, height - Math.min(legendHeight, height * LIST_SHARE) - GAP),
      LEAST,
    )
    const shown = Math.min(width, Math.max(legendWidth, diameter))
    const y = diameter + 16
    return {
      ring: { diameter, x: width / 2, y: diameter / 2 + 4 },
      legend: { x: (width - shown) / 2, y, width: shown, height: height - y },
    }
  }
  // Names are cut before the ring gets narrower than 36 % of the width.
  const diameter = Math.max(Math.min(height - 8, Math.max(width - legendWidth - GAP, width * 0.36)), LEAST)
  const room = width - diameter - GAP
  const shown = Math.min(room, legendWidth + 28)
  const left = Math.max((width - diameter - GAP - shown) / 2, 0)
  const listed = Math.min(legendHeight, height)
  return {
    ring: { diameter, x: left + diameter / 2, y: height / 2 },
    legend: { x: left + diameter + GAP, y: (height - listed) / 2 + 4, width: shown, height: listed },
  }
}
