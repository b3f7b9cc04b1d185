import { type Notification, notificationsApi } from '@bi-manager/contract'
import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core'
import { IconBellOff, IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useList } from '../../lib/lists/use-list.ts'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import '../../ui/data-table/data-table-mantine.css'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { Pager } from '../../ui/data-table/pager.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import shared from '../../ui/shared.module.css'
import { NotificationSkeletons } from './latest-notifications.tsx'
import { NotificationList } from './notification-list.tsx'
import classes from './notifications.module.css'
import { NOTIFICATIONS_KEY, unreadQuery, useMarkRead } from './notifications-queries.ts'
import { unreadText } from './unread-text.ts'

/** URL parameter: `?filtro=nao-lidas`. */
const FILTER = 'filtro'
const UNREAD = 'nao-lidas'

export const NotificationsPage = () => {
  const [params, setParams] = useSearchParams()
  const onlyUnread = params.get(FILTER) === UNREAD
  const list = useList({
    queryKey: [NOTIFICATIONS_KEY, onlyUnread],
    endpoint: notificationsApi.list,
    fields: [],
    filter: onlyUnread ? { naoLidas: 'true' } : {},
  })
  const { data: unread } = useQuery(unreadQuery)
  const markRead = useMarkRead()
  const { rows, error, isFetching, refetch, state } = list
  const markOne = ({ lidaEm, idNotificacao }: Notification) => lidaEm ?? markRead.mutate([idNotificacao])

  return (
    <AdminPage
      narrow
      title="Notificações"
      lead={unread === undefined ? '\u00a0' : unread > 0 ? unreadText(unread) : 'Nenhuma por ler.'}
      actions={
        <ActionButton
          icon={IconCheck}
          label="Marcar todas como lidas"
          disabled={!unread}
          loading={markRead.isPending && markRead.variables === 'todas'}
          onClick={() => markRead.mutate('todas')}
        />
      }
    >
      <div className={shared.toolbar}>
        <SegmentedControl
          aria-label="Mostrar"
          data={[
            { value: '', label: 'Todas' },
            { value: UNREAD, label: 'Não lidas' },
          ]}
          value={onlyUnread ? UNREAD : ''}
          onChange={(value) => setParams(value ? { [FILTER]: value } : {}, { preventScrollReset: true })}
        />
      </div>
      <ErrorAlert error={markRead.error} mb="xs" />
      <div
        className={`${shared.surface} ${shared.kept} ${classes.frame}`}
        aria-busy={isFetching}
        data-stale={(isFetching && !!rows) || undefined}
      >
        {rows && rows.length > 0 ? (
          <NotificationList
            rows={rows}
            onOpen={markOne}
            action={(notification) =>
              notification.lidaEm ? null : <MarkOne notification={notification} onMark={markOne} />
            }
          />
        ) : rows ? (
          <InlineMessage icon={IconBellOff}>
            {onlyUnread ? 'Nenhuma notificação por ler.' : 'Você não tem notificações.'}
          </InlineMessage>
        ) : error ? (
          <ListFailure error={error} isFetching={isFetching} onRetry={refetch} />
        ) : (
          <NotificationSkeletons count={state.tamanho} />
        )}
      </div>
      {rows && error ? <ListFailure error={error} isFetching={isFetching} onRetry={refetch} /> : null}
      {((rows && rows.length > 0) || state.pagina > 1) && (
        <div className={classes.pages}>
          <Pager list={list} />
        </div>
      )}
    </AdminPage>
  )
}

interface MarkOneProps {
  notification: Notification
  onMark: (notification: Notification) => void
}

const MarkOne = ({ notification, onMark }: MarkOneProps) => (
  <Tooltip label="Marcar como lida" openDelay={300} portalProps={{ target: '#conteudo' }}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      mr="xs"
      aria-label={`Marcar como lida: ${notification.titulo}`}
      onClick={() => onMark(notification)}
    >
      <IconCheck size={19} stroke={1.7} aria-hidden />
    </ActionIcon>
  </Tooltip>
)
