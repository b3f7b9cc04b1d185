import { useMediaQuery } from '@mantine/hooks'
import classes from './chart.module.css'

interface Bar {
  key: string
  value: number
  title: string
  /** Shown below the bar. */
  label: string | undefined
}

interface BarChartProps {
  bars: Bar[]
  /** Values of the horizontal lines, from 0 to the top. */
  levels: number[]
  levelText: (level: number) => string
  /** Number of bars that the width is for. */
  slots?: number
  /** Close to the displayed width of a wide screen, so that the text is not scaled. */
  wideWidth: number
}

const NARROW_WIDTH = 330
const HEIGHT = 200
const LEFT = 52
const TOP = 10
const BOTTOM = 26

/** Hidden from screen readers: show the same data in a table. */
export const BarChart = ({ bars, levels, levelText, slots = bars.length, wideWidth }: BarChartProps) => {
  const isNarrow = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  const width = isNarrow ? NARROW_WIDTH : wideWidth
  const slot = (width - LEFT) / slots
  const barWidth = 0.7 * slot
  const ceiling = Math.max(...levels)
  const yOf = (value: number) => TOP + (1 - value / ceiling) * (HEIGHT - TOP - BOTTOM)
  return (
    <svg className={classes.chart} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden>
      {levels.map((level) => (
        <g key={level}>
          <line x1={LEFT} x2={width} y1={yOf(level)} y2={yOf(level)} className={classes.level} />
          <text x={LEFT - 8} y={yOf(level) + 4} textAnchor="end" className={classes.label}>
            {levelText(level)}
          </text>
        </g>
      ))}
      {bars.map(({ key, value, title, label }, index) => {
        const x = LEFT + (index + 0.15) * slot
        const [anchor, shift] = placeOf(index, slots)
        return (
          <g key={key}>
            <rect
              x={x}
              y={yOf(value)}
              width={barWidth}
              height={yOf(0) - yOf(value)}
              rx={Math.min(2, barWidth / 3)}
              className={classes.bar}
            >
              <title>{title}</title>
            </rect>
            {label && (
              <text x={x + shift * barWidth} y={HEIGHT - 4} textAnchor={anchor} className={classes.label}>
                {label}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

/** Returns how a label is aligned, and with which part of its bar: none leaves the chart. */
const placeOf = (index: number, slots: number) => {
  if (index === 0) return ['start', 0] as const
  return index === slots - 1 ? (['end', 1] as const) : (['middle', 0.5] as const)
}
