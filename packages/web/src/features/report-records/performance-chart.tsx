import type { ReportPerformance } from '@bi-manager/contract'
import { useMediaQuery } from '@mantine/hooks'
import { chartOf, dayLabel, secondsText } from './performance-scale.ts'
import classes from './performance-section.module.css'

const HEIGHT = 220

/** Plots the daily p50 and p95; hidden from screen readers, because the table has the same data. */
export const PerformanceChart = ({ performance }: { performance: ReportPerformance }) => {
  // Close to the displayed width, so that the text is not scaled.
  const isNarrow = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  const width = isNarrow ? 330 : 640
  const chart = chartOf(performance, { width, height: HEIGHT })
  return (
    <svg className={classes.chart} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden>
      {chart.levels.map(({ y, ms }) => (
        <g key={ms}>
          <line x1={chart.left} x2={width} y1={y} y2={y} className={classes.level} />
          <text x={chart.left - 8} y={y + 4} textAnchor="end" className={classes.label}>
            {secondsText(ms)}
          </text>
        </g>
      ))}
      {chart.days.map(({ x, dia }, index) => (
        <text
          key={dia}
          x={x}
          y={HEIGHT - 4}
          textAnchor={index === 0 ? 'start' : index === chart.days.length - 1 ? 'end' : 'middle'}
          className={classes.label}
        >
          {dayLabel(dia)}
        </text>
      ))}
      {chart.series.map(({ name, path, points }) => (
        <g key={name} data-series={name} className={classes.series}>
          <path d={path} className={classes.line} />
          {points.map(({ x, y }) => (
            <circle key={x} cx={x} cy={y} r={3.2} className={classes.point} />
          ))}
        </g>
      ))}
    </svg>
  )
}
