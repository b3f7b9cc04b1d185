import { ownValue } from '@bi-manager/contract/own-value'
import { headingText } from '../../../definitions/heading-text.ts'
import { isRecord } from '../../../definitions/is-record.ts'
import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { formatOf, hasNumbers, numberOf } from '../style/column-format.ts'
import { formatAxis, formatInFull } from '../style/format.ts'
import { cut } from '../style/text-width.ts'
import { nameText, valueColors } from '../style/value-formats.ts'
import { type ChartContext, DIMMED, isDimmed } from './chart-context.ts'
import { asList, columnName, merge, type Part } from './chart-series.ts'

/** The columns of a scatter chart: `encode` of its series, otherwise by order and type. */
export const scatterColumns = (visual: EmbeddedVisual, data: VisualData) => {
  const { columns } = data
  const own = asList(visual.option.series)[0]?.encode
  const encode = isRecord(own) ? own : {}
  const numeric = columns.filter((_, at) => hasNumbers(data, at))
  const texts = columns.filter((name) => !numeric.includes(name))
  const given = (key: string) => columnName(encode[key], columns)
  return {
    x: given('x') ?? numeric[0] ?? '',
    y: given('y') ?? numeric[1] ?? numeric[0] ?? '',
    size: isRecord(own) ? given('size') : numeric[2],
    /** Each of its values has one colour and one legend entry. */
    category: isRecord(own) ? given('category') : undefined,
    /** The name of a point. */
    name: given('name') ?? texts[0],
  }
}

/** Builds points on two measures, optionally sized by a third and coloured by a category. */
export const scatterParts = (visual: EmbeddedVisual, data: VisualData, room: ChartContext): Part => {
  const columns = scatterColumns(visual, data)
  const { theme, text, valueFormats } = room
  const cell = (row: Cell[], column: string | undefined) =>
    column === undefined ? null : (row[data.columns.indexOf(column)] ?? null)
  const written = (row: Cell[], column: string | undefined) =>
    nameText(cell(row, column), formatOf(visual, data, column ?? ''), valueFormats)
  const label = (column: string) => headingText(ownValue(visual.labels, column) ?? column)

  const groups = [
    ...new Set(data.rows.map((row) => (columns.category ? written(row, columns.category) : ''))),
  ]
  const colors = columns.category
    ? valueColors(groups, valueFormats, theme.palette)
    : [theme.palette[0] ?? '']
  const number = (row: Cell[], column: string | undefined) => numberOf(cell(row, column))
  const greatest = Math.max(...data.rows.map((row) => number(row, columns.size) ?? 0), 0)
  const narrow = room.width < NARROW * text
  // Areas, not diameters, are proportional.
  const diameter = (row: Cell[]) =>
    columns.size && greatest > 0
      ? LEAST +
        ((narrow ? MOST * 0.7 : MOST) - LEAST) *
          Math.sqrt(Math.max(number(row, columns.size) ?? 0, 0) / greatest)
      : LEAST + 3
  const xs = data.rows.map((row) => number(row, columns.x) ?? 0)
  const [least, span] = [Math.min(...xs), Math.max(...xs) - Math.min(...xs) || 1]
  // Names of points near the right edge are on the left, where there is room.
  const side = (row: Cell[]) => (((number(row, columns.x) ?? 0) - least) / span > 0.72 ? 'left' : 'right')
  const named = columns.name !== undefined && data.rows.length <= (narrow ? FEW : NAMED)
  const fontSize = Math.round(10.5 * text)
  const [own = {}] = asList(visual.option.series)
  const { encode: _encode, type: _type, ...ownLooks } = own

  const axis = (column: string, more: Part): Part => ({
    type: 'value',
    scale: true,
    splitNumber: 5,
    name: label(column),
    nameTextStyle: { color: theme.muted, fontSize: Math.round(11 * text) },
    axisLine: { show: true, lineStyle: { color: theme.axis } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: theme.grid } },
    axisLabel: {
      color: theme.muted,
      fontSize: Math.round(11 * text),
      hideOverlap: true,
      formatter: (value: number) => formatAxis(value, formatOf(visual, data, column)),
    },
    ...more,
  })

  return {
    grid: {
      left: 2,
      right: 18,
      top: Math.round((groups.length > 1 ? 54 : 26) * text),
      bottom: Math.round(26 * text),
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: { show: groups.length > 1, icon: 'circle' },
    tooltip: {
      trigger: 'item',
      formatter: ({ data: point }: { data: { row: number } }) => {
        const row = data.rows[point.row] ?? []
        const facts = [columns.x, columns.y, columns.size].filter((column) => column !== undefined)
        const title = [columns.name, columns.category]
          .filter((column, index, all) => column !== undefined && all.indexOf(column) === index)
          .map((column) => written(row, column))
        return [
          title.join(' · '),
          ...facts.map(
            (column) =>
              `${label(column)}: ${formatInFull(cell(row, column), formatOf(visual, data, column))}`,
          ),
        ]
          .filter(Boolean)
          .join('\n')
      },
    },
    xAxis: axis(columns.x, { nameLocation: 'middle', nameGap: Math.round(26 * text) }),
    yAxis: axis(columns.y, {
      nameGap: Math.round(12 * text),
      nameTextStyle: {
        color: theme.muted,
        fontSize: Math.round(11 * text),
        align: 'left',
        padding: [0, 0, 0, -8],
      },
    }),
    series: groups.map((group, index) =>
      merge(
        {
          type: 'scatter',
          name: group || visual.title,
          cursor: room.pickable ? 'pointer' : 'default',
          color: colors[index],
          data: data.rows.flatMap((row, at) => {
            if (columns.category && written(row, columns.category) !== group) return []
            const dimmed = isDimmed(room, at)
            return [
              {
                value: [number(row, columns.x), number(row, columns.y)],
                row: at,
                name: columns.name && written(row, columns.name),
                symbolSize: diameter(row) * text,
                itemStyle: { opacity: dimmed ? DIMMED * 0.7 : 0.78 },
                label: { show: named && !dimmed, position: side(row) },
              },
            ]
          }),
          itemStyle: { borderColor: theme.surface, borderWidth: 1 },
          label: {
            distance: 4,
            color: theme.strong,
            fontSize,
            formatter: ({ name }: { name: string }) => cut(name, 160 * text, fontSize),
          },
          labelLayout: { hideOverlap: true },
          emphasis: { scale: 1.15, itemStyle: { opacity: 1 } },
        },
        ownLooks,
      ),
    ),
  }
}

/** Pixels: the smallest and largest diameter of points. */
const LEAST = 7
const MOST = 34
const NAMED = 40 // points up to which all carry their names
/** Width in CSS pixels under which only a few points (FEW) carry their names. */
const NARROW = 420
const FEW = 8
