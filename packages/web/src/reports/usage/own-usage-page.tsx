import { type OwnUsage, usageApi } from '@bi-manager/contract'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { exactTime } from '../../lib/text/relative-time.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import { Measures } from './measures.tsx'
import { PeriodControl } from './period-control.tsx'
import classes from './usage.module.css'
import { ownUsageQuery, type UsageDays } from './usage-queries.ts'

/** '/meu-uso': what the portal stores of the user's own views. */
export const OwnUsagePage = () => {
  const [days, setDays] = useState<UsageDays>(30)
  const { data, error, isFetching, refetch } = useQuery(ownUsageQuery(days))
  return (
    <AdminPage
      title="Meu uso"
      lead="Os relatórios que você abriu. Só você e os administradores veem isto."
      actions={<PeriodControl days={days} onChoose={setDays} />}
      narrow
    >
      <section className={shared.panel} aria-labelledby="meu-uso" aria-busy={isFetching}>
        <div className={shared.spread}>
          <h2 id="meu-uso" className={shared.subheading}>
            Relatórios abertos
          </h2>
          <CsvButton
            fileName="meu-uso.csv"
            download={() => call(usageApi.ownCsv, { query: { dias: days } })}
          />
        </div>
        {error && !data ? (
          <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
        ) : !data ? (
          <Skeleton height={240} radius="md" />
        ) : (
          <Filled usage={data} />
        )}
      </section>
    </AdminPage>
  )
}

const Filled = ({ usage }: { usage: OwnUsage }) => (
  <>
    <Measures usage={usage} first={[['Visualizações', usage.visualizacoes.toLocaleString('pt-BR')]]} />
    {usage.relatorios.length === 0 ? (
      <Text c="dimmed">Você não abriu relatórios no período.</Text>
    ) : (
      <table className={`${shared.table} ${classes.numbers}`}>
        <thead>
          <tr>
            <th scope="col">Relatório</th>
            <th scope="col">Visualizações</th>
            <th scope="col">Última visualização</th>
          </tr>
        </thead>
        <tbody>
          {usage.relatorios.map(({ idRelatorio, nomeRelatorio, nomeGrupo, visualizacoes, ultima }) => (
            <tr key={idRelatorio}>
              <th scope="row">
                {nomeRelatorio}
                <span className={shared.detail}>{nomeGrupo}</span>
              </th>
              <td>{visualizacoes.toLocaleString('pt-BR')}</td>
              <td>
                <time dateTime={ultima}>{exactTime(ultima)}</time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </>
)
