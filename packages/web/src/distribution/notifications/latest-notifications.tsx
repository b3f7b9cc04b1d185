import { Group, Skeleton, Title } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import shared from '../../ui/shared.module.css'
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
      <Group justify="space-between" gap="0.5rem" mih="2rem" p="0 0.5rem 0.25rem" wrap="nowrap">
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
      </Group>
      <ErrorAlert error={markRead.error} mb="xs" />
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
        <ActionButton variant="subtle" label="Ver todas" to="/notificacoes" fullWidth />
      )}
    </div>
  )
}

export const NotificationSkeletons = ({ count }: { count: number }) => (
  <div aria-hidden>
    {Array.from({ length: count }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: bare placeholders, never reordered
      <Group key={row} gap="0.75rem" p="0.75rem" wrap="nowrap">
        <Skeleton height={36} width={36} radius="md" />
        <div className={shared.fills}>
          <Skeleton height={14} width="55%" />
          <Skeleton height={12} width="90%" mt={8} />
        </div>
      </Group>
    ))}
  </div>
)
