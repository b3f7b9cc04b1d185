import { type UsageSummary, usageApi, usageFile } from '@bi-manager/contract'
import { Alert, Skeleton, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { counted } from '../../lib/text/counted.ts'
import { BarChart } from '../../ui/chart/bar-chart.tsx'
import chartClasses from '../../ui/chart/chart.module.css'
import { CsvButton } from '../../ui/csv-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import { Measures } from './measures.tsx'
import classes from './usage.module.css'
import { type UsageDays, usageSummaryQuery } from './usage-queries.ts'
import { levelsOf, startLabel, viewsOf } from './usage-scale.ts'

/** The totals of a period and its views per day or month. */
export const UsageSummarySection = ({ days }: { days: UsageDays }) => {
  const { data, error, isFetching, refetch } = useQuery(usageSummaryQuery(days))
  return (
    <section className={shared.panel} aria-labelledby="resumo-uso" aria-busy={isFetching}>
      <div className={shared.spread}>
        <h2 id="resumo-uso" className={shared.subheading}>
          Visualizações por {data?.porMes ? 'mês' : 'dia'}
        </h2>
        <CsvButton
          fileName={`${usageFile('periodo', days)}.csv`}
          download={() => call(usageApi.summaryCsv, { query: { dias: days } })}
        />
      </div>
      {error && !data ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={280} radius="md" />
      ) : (
        <>
          {data.incompleto && (
            <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="Números incompletos">
              As visualizações de antes da atualização do portal ainda estão sendo somadas, das mais recentes
              às mais antigas.
            </Alert>
          )}
          <Measures
            usage={data}
            first={[
              ['Visualizações', data.visualizacoes.toLocaleString('pt-BR')],
              ['Leitores', data.leitores.toLocaleString('pt-BR')],
            ]}
          />
          {data.serie.length > 0 ? (
            <Series summary={data} />
          ) : (
            <Text c="dimmed">Nenhum relatório foi aberto no período.</Text>
          )}
        </>
      )}
    </section>
  )
}

const Series = ({ summary }: { summary: UsageSummary }) => (
  <>
    <Bars summary={summary} />
    <details className={chartClasses.details}>
      <summary>Ver em números</summary>
      <table className={`${shared.table} ${classes.numbers}`}>
        <thead>
          <tr>
            <th scope="col">{summary.porMes ? 'Mês' : 'Dia'}</th>
            <th scope="col">Visualizações</th>
            <th scope="col">Leitores</th>
            <th scope="col">Erros</th>
          </tr>
        </thead>
        <tbody>
          {summary.serie.toReversed().map(({ inicio, visualizacoes, leitores, erros }) => (
            <tr key={inicio}>
              <th scope="row">{startLabel(inicio, summary.porMes)}</th>
              <td>{visualizacoes.toLocaleString('pt-BR')}</td>
              <td>{leitores.toLocaleString('pt-BR')}</td>
              <td>{erros.toLocaleString('pt-BR')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  </>
)

const Bars = ({ summary }: { summary: UsageSummary }) => {
  const views = viewsOf(summary)
  const labelled = [0, Math.floor((views.length - 1) / 2), views.length - 1]
  return (
    <BarChart
      wideWidth={960}
      levels={levelsOf(summary)}
      levelText={(level) => level.toLocaleString('pt-BR')}
      bars={views.map(({ inicio, visualizacoes }, index) => {
        const start = startLabel(inicio, summary.porMes)
        return {
          key: inicio,
          value: visualizacoes,
          title: `${start}: ${counted(visualizacoes, 'visualização', 'visualizações')}`,
          label: labelled.includes(index) ? start : undefined,
        }
      })}
    />
  )
}
