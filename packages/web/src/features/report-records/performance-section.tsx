import { PERFORMANCE_DAYS, type ReportPerformance, reportPerformanceApi } from '@bi-manager/contract'
import { SegmentedControl, Skeleton } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import { PerformanceChart } from './performance-chart.tsx'
import { dayLabel, secondsText } from './performance-scale.ts'
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
    <section className={classes.section} aria-labelledby="desempenho" aria-busy={isFetching}>
      <div className={classes.header}>
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
        <p className={classes.empty}>Ninguém abriu este relatório no período.</p>
      ) : (
        <Filled performance={data} total={data.total} />
      )}
    </section>
  )
}

const legend = [
  ['renderizado95', 'Tela completa, 95 de cada 100'],
  ['renderizado50', 'Tela completa, metade'],
  ['carregado95', 'Relatório carregado, 95 de cada 100'],
  ['carregado50', 'Relatório carregado, metade'],
]

interface FilledProps {
  performance: ReportPerformance
  total: NonNullable<ReportPerformance['total']>
}

const Filled = ({ performance, total }: FilledProps) => (
  <>
    <p className={classes.summary}>
      {count(total.visualizacoes, 'visualização', 'visualizações')} de{' '}
      {count(total.pessoas, 'pessoa', 'pessoas')}. Metade viu a tela completa em até{' '}
      <strong>{secondsText(total.renderizado.p50)}</strong>, 95 de cada 100 em até{' '}
      <strong>{secondsText(total.renderizado.p95)}</strong>.
    </p>
    <PerformanceChart performance={performance} />
    <ul className={classes.legend} aria-hidden>
      {legend.map(([name, text]) => (
        <li key={name}>
          <span data-series={name} className={classes.mark} />
          {text}
        </li>
      ))}
    </ul>
    <details className={classes.details}>
      <summary>Ver em números</summary>
      <table className={classes.table}>
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
            <th scope="col">Metade</th>
            <th scope="col">95%</th>
            <th scope="col">Metade</th>
            <th scope="col">95%</th>
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

const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('pt-BR')} ${number === 1 ? one : many}`
