import type { SystemStatus } from '@bi-manager/contract'
import { Box, Skeleton } from '@mantine/core'
import '@mantine/core/styles/Skeleton.layer.css'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refreshInBackground } from '../../lib/api/background-refresh.ts'
import { exactTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import { StateIcon } from './status-card.tsx'
import { StatusCards } from './status-cards.tsx'
import { stateNames, toDo } from './status-text.ts'
import classes from './system-status.module.css'
import { systemStatusKey, systemStatusQuery } from './system-status-queries.ts'

const refreshEvery = 60_000

/** '/situacao': the state of the installation and what to do about problems. */
export const SystemStatusPage = () => {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({ ...systemStatusQuery, staleTime: 0 })
  useEffect(() => {
    const timer = setInterval(() => void refreshInBackground(client, systemStatusKey), refreshEvery)
    return () => clearInterval(timer)
  }, [client])
  return (
    <AdminPage
      title="Situação do sistema"
      lead={data && `Verificado em ${exactTime(data.verificadoEm)}.`}
      actions={
        <ActionButton
          icon={IconRefresh}
          label="Verificar de novo"
          loading={isFetching && data !== undefined}
          onClick={() => void refetch()}
        />
      }
    >
      {data ? (
        <>
          <Summary status={data} />
          <StatusCards status={data} />
        </>
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Placeholder />
      )}
    </AdminPage>
  )
}

/** The items that need action, each with a link to its card. */
const Summary = ({ status }: { status: SystemStatus }) => {
  const items = toDo(status)
  return (
    <section
      className={`${shared.surface} ${classes.summary}`}
      data-state={items[0]?.estado ?? 'ok'}
      aria-labelledby="resumo"
    >
      <StateIcon estado={items[0]?.estado ?? 'ok'} size={24} />
      <div>
        <Box component="h2" id="resumo" fz="md" lh="1.5rem">
          {titleOf(items.length)}
        </Box>
        {items.length > 0 && (
          <ul className={classes.summaryLinks}>
            {items.map(({ key, title, estado }) => (
              <li key={key}>
                <a href={`#${key}`}>{title}</a> ({stateNames[estado].toLowerCase()})
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

const titleOf = (n: number): string => {
  if (n === 0) return 'Nada precisa de você agora.'
  return n === 1 ? '1 item precisa de você.' : `${n} itens precisam de você.`
}

const Placeholder = () => (
  <>
    <Skeleton height={72} radius="lg" />
    <div className={classes.columns} aria-hidden>
      {[
        [190, 260, 230],
        [300, 180, 200],
      ].map((heights) => (
        <div key={heights[0]} className={`${shared.stackLg} ${classes.column}`}>
          {heights.map((height) => (
            <Skeleton key={height} height={height} radius="lg" />
          ))}
        </div>
      ))}
    </div>
  </>
)
