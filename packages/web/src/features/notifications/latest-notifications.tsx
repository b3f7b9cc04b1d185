import { Button, Skeleton, Title } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { messageOf } from '../../lib/api/api.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { NotificationList } from './notification-list.tsx'
import classes from './notifications.module.css'
import { latestQuery, unreadQuery, useMarkRead } from './notifications-queries.ts'

/** The bell's popup: the latest notifications and a link to all. */
export const LatestNotifications = () => {
  const { data: unread = 0 } = useQuery(unreadQuery)
  const { data: rows, error, isFetching, refetch } = useQuery(latestQuery)
  const markRead = useMarkRead()
  return (
    <div className={classes.popup}>
      <div className={classes.popupHeader}>
        <Title order={2} size="h3">
          Notificações
        </Title>
        {unread > 0 && (
          <Button
            variant="subtle"
            size="compact-xs"
            loading={markRead.isPending}
            onClick={() => markRead.mutate('todas')}
          >
            Marcar todas como lidas
          </Button>
        )}
      </div>
      {markRead.error && (
        <p role="alert" className={classes.failure}>
          {messageOf(markRead.error)}
        </p>
      )}
      {rows ? (
        rows.length > 0 ? (
          <div className={classes.scroll}>
            <NotificationList
              rows={rows}
              onOpen={({ lidaEm, idNotificacao }) => lidaEm ?? markRead.mutate([idNotificacao])}
            />
          </div>
        ) : (
          <InlineMessage icon={IconBellOff}>Você não tem notificações.</InlineMessage>
        )
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <NotificationSkeletons count={3} />
      )}
      {rows && rows.length > 0 && (
        <Button component={Link} to="/notificacoes" variant="subtle" fullWidth>
          Ver todas
        </Button>
      )}
    </div>
  )
}

export const NotificationSkeletons = ({ count }: { count: number }) => (
  <div aria-hidden>
    {Array.from({ length: count }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: bare placeholders, never reordered
      <div key={row} className={classes.placeholder}>
        <Skeleton height={36} width={36} radius="md" />
        <div className={classes.words}>
          <Skeleton height={14} width="55%" />
          <Skeleton height={12} width="90%" mt={8} />
        </div>
      </div>
    ))}
  </div>
)
