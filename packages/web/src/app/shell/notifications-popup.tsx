import { isBlocking } from '@bi-manager/contract'
import { VisuallyHidden } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  badgeText,
  bellName,
  LatestNotifications,
  refreshNotifications,
  unreadQuery,
  unreadText,
} from '../../distribution/index.ts'
import { useLiveRefresh } from '../../lib/live/live-refresh.ts'
import { useSession } from '../../lib/session/session.ts'
import classes from './notifications-popup.module.css'
import { TopPopup } from './top-popup.tsx'
import { useIdle } from './use-idle.ts'

/** The bell: the unread count, updated live, and the latest notifications. */
export const NotificationsPopup = () => {
  const client = useQueryClient()
  const isIdle = useIdle()
  const isBlocked = isBlocking(useSession()?.pendencia)
  const { data: unread = 0, isSuccess } = useQuery({ ...unreadQuery, enabled: isIdle && !isBlocked })
  useLiveRefresh('notificacoes', () => void refreshNotifications(client))
  return (
    <>
      <TopPopup
        label="Notificações"
        name={bellName(unread)}
        icon={IconBell}
        badge={
          unread > 0 && (
            <span className={classes.badge} aria-hidden>
              {badgeText(unread)}
            </span>
          )
        }
        width={25}
      >
        {() => <LatestNotifications />}
      </TopPopup>
      {isSuccess && <News unread={unread} />}
    </>
  )
}

/** Announces new notifications to screen readers; the bell's name has the initial count. */
const News = ({ unread }: { unread: number }) => {
  const before = useRef(unread)
  const [text, setText] = useState('')
  useEffect(() => {
    if (unread > before.current) setText(`Nova notificação: ${unreadText(unread)}`)
    else if (unread < before.current) setText('')
    before.current = unread
  }, [unread])
  return <VisuallyHidden role="status">{text}</VisuallyHidden>
}
