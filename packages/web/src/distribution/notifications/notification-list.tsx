import type { Notification, NotificationKind } from '@bi-manager/contract'
import { Stack, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import {
  IconApi,
  IconBellRinging,
  IconDatabaseX,
  IconDevices,
  IconHeartbeat,
  IconHourglassLow,
  IconKey,
  IconLockQuestion,
  IconMailForward,
  IconMessageCircle,
  IconPlugConnectedX,
  IconReportAnalytics,
  IconServerBolt,
  IconShieldExclamation,
  IconShieldLock,
  IconSpeakerphone,
  IconUserPlus,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { fullTime, relativeTime } from '../../lib/text/relative-time.ts'
import shared from '../../ui/shared.module.css'
import { useNow } from '../../ui/use-now.ts'
import classes from './notifications.module.css'

const icons: Record<NotificationKind, Icon> = {
  permissao_liberada: IconReportAnalytics,
  conta_aguardando: IconUserPlus,
  conexao_falhando: IconPlugConnectedX,
  senha_alterada: IconKey,
  segundo_fator_alterado: IconShieldLock,
  sessoes_encerradas: IconDevices,
  chave_api_alterada: IconApi,
  acesso_saude_alterado: IconHeartbeat,
  seguranca_alterada: IconShieldExclamation,
  sistema_com_problema: IconServerBolt,
  copia_falhou: IconDatabaseX,
  aviso: IconSpeakerphone,
  acesso_vence: IconHourglassLow,
  pedido_acesso: IconLockQuestion,
  assinatura: IconMailForward,
  comentario: IconMessageCircle,
  alerta: IconBellRinging,
}

interface NotificationListProps {
  rows: Notification[]
  /** Called when a notification is opened, which marks it as read. */
  onOpen: (notification: Notification) => void
  /** Renders an action next to each notification. */
  action?: (notification: Notification) => ReactNode
}

/** A list of notifications, each a link to its subject. */
export const NotificationList = ({ rows, onOpen, action }: NotificationListProps) => {
  const now = useNow()
  return (
    <ul>
      {rows.map((notification) => (
        <li
          key={notification.idNotificacao}
          className={classes.item}
          data-unread={!notification.lidaEm || undefined}
        >
          <Opener notification={notification} onOpen={onOpen}>
            <Content notification={notification} now={now} />
          </Opener>
          {action?.(notification)}
        </li>
      ))}
    </ul>
  )
}

interface OpenerProps extends Pick<NotificationListProps, 'onOpen'> {
  notification: Notification
  children: ReactNode
}

const Opener = ({ notification, onOpen, children }: OpenerProps) => {
  const open = () => onOpen(notification)
  if (notification.rota) {
    return (
      <Link to={notification.rota} className={`${shared.fills} ${classes.opener}`} onClick={open}>
        {children}
      </Link>
    )
  }
  if (notification.lidaEm) return <div className={`${shared.fills} ${classes.opener}`}>{children}</div>
  return (
    <UnstyledButton className={`${shared.fills} ${classes.opener}`} onClick={open}>
      {children}
    </UnstyledButton>
  )
}

const Content = ({ notification, now }: { notification: Notification; now: number }) => {
  const { tipo, titulo, texto, criadaEm, lidaEm } = notification
  const IconOf = icons[tipo]
  return (
    <>
      <span className={`${shared.tileIcon} ${classes.icon}`} data-kind={tipo}>
        <IconOf size={20} stroke={1.6} aria-hidden />
      </span>
      <Stack component="span" gap="0.125rem" className={shared.fills}>
        <span className={classes.title}>
          {!lidaEm && <VisuallyHidden>Não lida: </VisuallyHidden>}
          {titulo}
          {!lidaEm && <span className={classes.dot} aria-hidden />}
        </span>
        <span className={`${shared.smallNote} ${classes.text}`}>{texto}</span>
        <time className={shared.smallNote} dateTime={criadaEm} title={fullTime(criadaEm)}>
          {relativeTime(criadaEm, now)}
        </time>
      </Stack>
    </>
  )
}
