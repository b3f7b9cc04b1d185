import { PERFORMANCE_DAYS, type ReportPerformance, reportPerformanceApi } from '@bi-manager/contract'
import { SegmentedControl, Skeleton, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/api/api.ts'
import { counted } from '../../../lib/text/counted.ts'
import chartClasses from '../../../ui/chart/chart.module.css'
import { dayLabel, secondsText } from '../../../ui/chart/chart-texts.ts'
import { ListFailure } from '../../../ui/data-table/list-failure.tsx'
import shared from '../../../ui/shared.module.css'
import { chartOf } from './performance-scale.ts'
import classes from './performance-section.module.css'

const periods = PERFORMANCE_DAYS.map((days) => ({ value: String(days), label: `${days} dias` }))

/** A section with the report's load times, below its form. */
export const PerformanceSection = ({ idRelatorio }: { idRelatorio: number }) => {
  const [days, setDays] = useState<(typeof PERFORMANCE_DAYS)[number]>(30)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['desempenho', idRelatorio, days],
    queryFn: ({ signal }) =>
      call(reportPerformanceApi.get, { params: { id: idRelatorio }, query: { dias: days } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  return (
    <section className={shared.panel} aria-labelledby="desempenho" aria-busy={isFetching}>
      <div className={shared.spread}>
        <h2 id="desempenho" className={shared.subheading}>
          Desempenho
        </h2>
        <SegmentedControl
          size="xs"
          aria-label="Período"
          data={periods}
          value={String(days)}
          onChange={(value) => setDays(PERFORMANCE_DAYS.find((one) => String(one) === value) ?? 30)}
        />
      </div>
      {error && !data ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={240} radius="md" />
      ) : data.total === null ? (
        <Text mt="1rem" mb="0.25rem" c="dimmed">
          Ninguém abriu este relatório no período.
        </Text>
      ) : (
        <Filled performance={data} total={data.total} />
      )}
    </section>
  )
}

const legend = [
  ['renderizado95', 'Tela completa, 95 de cada 100'],
  ['renderizado50', 'Tela completa, mediana'],
  ['carregado95', 'Relatório carregado, 95 de cada 100'],
  ['carregado50', 'Relatório carregado, mediana'],
]

interface FilledProps {
  performance: ReportPerformance
  total: NonNullable<ReportPerformance['total']>
}

const Filled = ({ performance, total }: FilledProps) => (
  <>
    <Text mt="0.75rem" mb="1rem">
      {counted(total.visualizacoes, 'visualização', 'visualizações')} de{' '}
      {counted(total.pessoas, 'pessoa', 'pessoas')}. Tempo até a tela completa:{' '}
      <strong>{secondsText(total.renderizado.p50)}</strong> (mediana),{' '}
      <strong>{secondsText(total.renderizado.p95)}</strong> (95 de cada 100).
    </Text>
    <PerformanceChart performance={performance} />
    <ul className={`${shared.smallNote} ${classes.legend}`} aria-hidden>
      {legend.map(([name, text]) => (
        <li key={name}>
          <span data-series={name} className={classes.mark} />
          {text}
        </li>
      ))}
    </ul>
    <details className={chartClasses.details}>
      <summary>Ver em números</summary>
      <table className={`${shared.table} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col" rowSpan={2}>
              Dia
            </th>
            <th scope="col" rowSpan={2}>
              Vistas
            </th>
            <th scope="colgroup" colSpan={2}>
              Carregado
            </th>
            <th scope="colgroup" colSpan={2}>
              Completo
            </th>
          </tr>
          <tr>
            <th scope="col">Mediana</th>
            <th scope="col">95 de cada 100</th>
            <th scope="col">Mediana</th>
            <th scope="col">95 de cada 100</th>
          </tr>
        </thead>
        <tbody>
          {performance.porDia.toReversed().map(({ dia, visualizacoes, carregado, renderizado }) => (
            <tr key={dia}>
              <th scope="row">{dayLabel(dia)}</th>
              <td>{visualizacoes.toLocaleString('pt-BR')}</td>
              <td>{secondsText(carregado.p50)}</td>
              <td>{secondsText(carregado.p95)}</td>
              <td>{secondsText(renderizado.p50)}</td>
              <td>{secondsText(renderizado.p95)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  </>
)

const HEIGHT = 220

/** Plots the daily p50 and p95; hidden from screen readers, because the table has the same data. */
const PerformanceChart = ({ performance }: { performance: ReportPerformance }) => {
  // Close to the displayed width, so that the text is not scaled.
  const isNarrow = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  const width = isNarrow ? 330 : 640
  const chart = chartOf(performance, { width, height: HEIGHT })
  return (
    <svg className={chartClasses.chart} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden>
      {chart.levels.map(({ y, ms }) => (
        <g key={ms}>
          <line x1={chart.left} x2={width} y1={y} y2={y} className={chartClasses.level} />
          <text x={chart.left - 8} y={y + 4} textAnchor="end" className={chartClasses.label}>
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
          className={chartClasses.label}
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
