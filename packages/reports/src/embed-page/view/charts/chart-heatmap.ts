import { ownValue } from '@bi-manager/contract/own-value'
import { headingText } from '../../../definitions/heading-text.ts'
import { isRecord } from '../../../definitions/is-record.ts'
import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { colorAt, inkOn } from '../style/colors.ts'
import { compareNumbers, formatOf, isNumberKind, numberOf } from '../style/column-format.ts'
import { rangeOf, shareOf } from '../style/conditional-formats.ts'
import { formatInFull, formatLabel } from '../style/format.ts'
import { cutStart, widest } from '../style/text-width.ts'
import { nameText } from '../style/value-formats.ts'
import { columnLabel } from './chart-axes.ts'
import { type ChartContext, DIMMED, isDimmed } from './chart-context.ts'
import { asList, columnName, hasTimes, merge, type Part } from './chart-series.ts'

/** Returns the columns of a heat map: those in `encode` of its series, otherwise the first three. */
export const heatColumns = (visual: EmbeddedVisual, { columns }: VisualData) => {
  const given = asList(visual.option.series)[0]?.encode
  const encode = isRecord(given) ? given : {}
  const named = (key: string, columnIndex: number) =>
    columnName(encode[key], columns) ?? columns[columnIndex] ?? ''
  return { x: named('x', 0), y: named('y', 1), value: named('value', 2) }
}

/** Returns distinct values in order: numbers and dates ascending, others as in the query. */
export const keysOf = ({ columns, kinds, rows }: VisualData, column: string): Cell[] => {
  const columnIndex = columns.indexOf(column)
  const kind = kinds[columnIndex]
  const keys = [...new Set(rows.map((row) => row[columnIndex] ?? null))]
  if (keys.includes(null)) return keys
  const numbers = keys.filter((key) => typeof key === 'number' || typeof key === 'string')
  if (isNumberKind(kind)) return numbers.toSorted(compareNumbers)
  return kind === 'date' || kind === 'timestamp' || kind === 'time' ? keys.toSorted() : keys
}

/** The least width of the name of a column that is a number, divided by its font size. */
const LEAST_NAME = 5

/** Returns the index of each key; a list would not find NaN. */
export const placesOf = (keys: Cell[]) => new Map(keys.map((key, index) => [key, index]))

/**
 * Builds a heat map, whose cells have the colours of `theme.scale`: from light to dark in the light
 * theme, from dark to light in the dark one. Its legend is an HTML element above the canvas
 * (heat-legend.ts).
 */
export const heatmapParts = (visual: EmbeddedVisual, data: VisualData, room: ChartContext): Part => {
  const { theme, text, valueFormats } = room
  const columns = heatColumns(visual, data)
  const [xs, ys] = [keysOf(data, columns.x), keysOf(data, columns.y)]
  const [xPlaces, yPlaces] = [placesOf(xs), placesOf(ys)]
  const keyText = (key: Cell, column: string) => nameText(key, formatOf(visual, data, column), valueFormats)
  const [xNames, yNames] = [
    xs.map((key) => keyText(key, columns.x)),
    ys.map((key) => keyText(key, columns.y)),
  ]
  const range = rangeOf(data, columns.value) ?? [0, 1]
  const format = formatOf(visual, data, columns.value)
  const isMeasured = isNumberKind(data.kinds[data.columns.indexOf(columns.value)])
  const size = Math.round(11 * text)
  const fontSize = Math.round(11.5 * text)
  const nameWidth = Math.min(widest(yNames, fontSize) + 4, room.width * 0.34)
  const cellWidth = (room.width - nameWidth - 14) / Math.max(xs.length, 1)
  const cellHeight = (room.height - 26 * text) / Math.max(ys.length, 1)
  // The last digits tell keys apart.
  const shortened = (names: string[], column: string, width: number) =>
    isNumberKind(data.kinds[data.columns.indexOf(column)])
      ? names.map((name) => cutStart(name, width, fontSize))
      : names
  const xLabels = shortened(xNames, columns.x, Math.max(cellWidth - 6, fontSize * LEAST_NAME))
  const yLabels = shortened(yNames, columns.y, nameWidth)
  // Numbers are in all cells or in none: a few cells without numbers would look empty.
  const longest = widest(
    data.rows.map((row) => formatLabel(row[data.columns.indexOf(columns.value)] ?? null, format)),
    size,
  )
  const numbered = cellHeight > size * 1.6 && cellWidth > longest + 5
  const cellOf = (row: Cell[], column: string) => row[data.columns.indexOf(column)] ?? null
  const [given = {}] = asList(visual.option.series)
  const { encode: _encode, type: _type, ...givenOptions } = given

  const axis = (names: string[], options: Part): Part => ({
    type: 'category',
    data: names,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: false },
    ...options,
  })

  return {
    grid: {
      left: 2,
      // ECharts contains most of a last name that is wider than its column, not all of it.
      right: widest(xLabels, fontSize) > cellWidth ? 10 : 2,
      top: 2,
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    tooltip: {
      trigger: 'item',
      formatter: ({ data: cell }: { data: { row: number } }) => {
        const row = data.rows[cell.row] ?? []
        const name = headingText(ownValue(visual.labels, columns.value) ?? '')
        const value = formatInFull(cellOf(row, columns.value), format)
        return `${keyText(cellOf(row, columns.y), columns.y)} · ${keyText(cellOf(row, columns.x), columns.x)}\n${name ? `${name}: ` : ''}${value}`
      },
    },
    xAxis: axis(xNames, {
      axisLabel: {
        color: theme.muted,
        fontSize,
        margin: 8,
        ...columnLabel(
          {
            bars: true,
            categories: xLabels,
            slot: cellWidth,
            hasTimes: hasTimes(formatOf(visual, data, columns.x)),
          },
          widest(xLabels, fontSize),
          fontSize,
        ),
        formatter: (_: string, index: number) => xLabels[index],
      },
    }),
    yAxis: axis(yNames, {
      inverse: true,
      axisLabel: {
        color: theme.strong,
        fontSize,
        width: nameWidth,
        overflow: 'truncate',
        interval: 0,
        margin: 8,
        formatter: (_: string, index: number) => yLabels[index],
      },
    }),
    series: [
      merge(
        {
          type: 'heatmap',
          name: ownValue(visual.labels, columns.value) ?? visual.title,
          cursor: room.pickable ? 'pointer' : 'default',
          data: data.rows.flatMap((row, index) => {
            const cell = cellOf(row, columns.value)
            const value = isMeasured ? numberOf(cell) : undefined
            if (value === undefined) return []
            const color = colorAt(theme.scale, shareOf(value, range))
            const dimmed = isDimmed(room, index)
            const label = formatLabel(cell, format)
            return [
              {
                value: [xPlaces.get(cellOf(row, columns.x)), yPlaces.get(cellOf(row, columns.y)), value],
                row: index,
                itemStyle: { color, ...(dimmed && { opacity: DIMMED }) },
                label: {
                  show: !dimmed && numbered,
                  formatter: label,
                  color: inkOn(color),
                },
              },
            ]
          }),
          label: { fontSize: size },
          itemStyle: { borderColor: theme.surface, borderWidth: 2, borderRadius: 4 },
          emphasis: { itemStyle: { borderColor: theme.strong, borderWidth: 2 } },
          progressive: 0,
        },
        givenOptions,
      ),
    ],
  }
}
