import type { Activity } from '@bi-manager/contract'
import { Skeleton } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconKey,
  IconLogin2,
  IconLogout,
  IconShieldLock,
  IconUserCircle,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { activityQuery } from '../../lib/api/queries.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import classes from './own-account.module.css'

type Event = Activity['eventos'][number]

/** Recent events of the account; refused attempts are highlighted. */
export const AccountActivity = () => {
  const { data, error, isFetching, refetch } = useQuery(activityQuery)
  return (
    <section className={classes.card} aria-labelledby="atividade">
      <h2 id="atividade" className={shared.heading}>
        Atividade da conta
      </h2>
      {data ? (
        <ol className={classes.events}>
          {data.eventos.map((event) => (
            <EventRow key={`${event.data} ${event.descricao}`} event={event} />
          ))}
        </ol>
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label="Carregando a atividade da conta">
          {[70, 55, 62].map((width) => (
            <Skeleton key={width} height={18} width={`${width}%`} mb="md" />
          ))}
        </div>
      )}
    </section>
  )
}

const EventRow = ({ event: { tipo, descricao, data } }: { event: Event }) => {
  const isRefused = tipo.endsWith('refused')
  const IconOf = isRefused ? IconAlertTriangle : iconOf(tipo)
  return (
    <li className={classes.event} data-refused={isRefused || undefined}>
      <IconOf size={18} stroke={1.6} aria-hidden className={classes.eventIcon} />
      <span className={classes.eventText}>{descricao}</span>
      <time dateTime={data} className={classes.eventTime}>
        {fullTime(data)}
      </time>
    </li>
  )
}

const icons: readonly [beginning: string, icon: Icon][] = [
  ['session.created', IconLogin2],
  ['session.', IconLogout],
  ['password.', IconKey],
  ['second-factor.', IconShieldLock],
]

const iconOf = (kind: string): Icon =>
  icons.find(([beginning]) => kind.startsWith(beginning))?.[1] ?? IconUserCircle
