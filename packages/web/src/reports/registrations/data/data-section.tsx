import { type DatasetRefresh, dataFreshnessApi } from '@bi-manager/contract'
import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { call, callInBackground } from '../../../lib/api/api.ts'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import { shortTime } from '../../../lib/text/relative-time.ts'
import { ListFailure } from '../../../ui/data-table/list-failure.tsx'
import shared from '../../../ui/shared.module.css'
import { DataRefresh } from '../../freshness/data-refresh.tsx'
import {
  dataKey,
  isUnderWay,
  refreshesKey,
  runningMs,
  useDataFreshness,
} from '../../freshness/use-data-freshness.ts'
import classes from './data-section.module.css'
import { durationText, kindTexts, scheduleText, stateTexts } from './refresh-texts.ts'
import { RefreshersField } from './refreshers-field.tsx'

/** Rows shown at first. */
const few = 5

/** A section with the refreshes of the report's data and their schedule, below its form. */
export const DataSection = ({ idRelatorio }: { idRelatorio: number }) => {
  const { freshness, refreshing } = useDataFreshness(idRelatorio, true)
  const params = { id: idRelatorio }
  // No retry: the server waits long enough for the provider.
  const refreshes = useQuery({
    queryKey: refreshesKey(idRelatorio),
    queryFn: ({ signal }) => callInBackground(dataFreshnessApi.refreshes, { params }, { signal }),
    refetchInterval: ({ state }) =>
      state.status !== 'error' && (isUnderWay(refreshing.phase) || isRunning(state.data)) && runningMs,
    retry: false,
    staleTime: runningMs,
  })
  const schedule = useQuery({
    queryKey: [...dataKey(idRelatorio), 'agenda'],
    queryFn: ({ signal }) => call(dataFreshnessApi.schedule, { params }, { signal }),
    retry: false,
    staleTime: 60_000,
  })
  // Both fail for one reason: say it once.
  const isSameFailure = schedule.error?.message === refreshes.error?.message
  return (
    <section className={shared.panel} aria-labelledby="dados" aria-busy={refreshes.isFetching}>
      <h2 id="dados" className={shared.subheading}>
        Atualização dos dados
      </h2>
      {refreshes.error && !refreshes.data ? (
        <ListFailure
          error={refreshes.error}
          isFetching={refreshes.isFetching}
          onRetry={() => void Promise.all([refreshes.refetch(), schedule.refetch()])}
        />
      ) : !refreshes.data ? (
        <Skeleton height={160} mt="0.75rem" radius="md" />
      ) : (
        <History refreshes={refreshes.data} />
      )}
      {schedule.data ? (
        <Text mt="0.75rem">
          <strong>Agenda:</strong> {scheduleText(schedule.data)}
        </Text>
      ) : (
        schedule.error &&
        !(refreshes.error && isSameFailure) && (
          <ListFailure
            error={schedule.error}
            isFetching={schedule.isFetching}
            onRetry={() => void schedule.refetch()}
          />
        )
      )}
      {freshness?.podeAtualizar && (
        <>
          <div className={classes.refresh}>
            <DataRefresh freshness={freshness} refreshing={refreshing} />
          </div>
          <RefreshersField idRelatorio={idRelatorio} />
        </>
      )}
    </section>
  )
}

const isRunning = (refreshes: DatasetRefresh[] = []) => refreshes[0]?.estado === 'EM_ANDAMENTO'

const History = ({ refreshes }: { refreshes: DatasetRefresh[] }) => {
  const [isAll, setAll] = useState(false)
  if (refreshes.length === 0)
    return (
      <Text mt="0.75rem" c="dimmed">
        O serviço de BI não tem atualizações registradas.
      </Text>
    )
  return (
    <>
      <table className={`${shared.table} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">Início</th>
            <th scope="col">Duração</th>
            <th scope="col">Tipo</th>
            <th scope="col">Situação</th>
          </tr>
        </thead>
        <tbody>
          {refreshes.slice(0, isAll ? undefined : few).map((refresh) => {
            const { inicio, tipo, estado, causa, codigo } = refresh
            return (
              <Fragment key={inicio}>
                <tr data-explained={causa !== null || undefined}>
                  <td>{shortTime(inicio, serverNow())}</td>
                  <td>{durationText(refresh)}</td>
                  <td>{kindTexts[tipo]}</td>
                  <td data-state={estado}>{stateTexts[estado]}</td>
                </tr>
                {causa !== null && (
                  <tr>
                    <td colSpan={4} className={classes.cause}>
                      {causa}
                      {codigo && <span className={shared.detail}>Código: {codigo}</span>}
                    </td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
      {refreshes.length > few && !isAll && (
        <Button mt="0.5rem" size="xs" variant="default" onClick={() => setAll(true)}>
          Ver todas ({refreshes.length})
        </Button>
      )}
    </>
  )
}
