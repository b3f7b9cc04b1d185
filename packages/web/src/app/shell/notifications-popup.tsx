import { ActionIcon, Title } from '@mantine/core'
import { IconBell, IconBellOff } from '@tabler/icons-react'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { TopPopup } from './top-popup.tsx'

export const NotificationsPopup = () => (
  <TopPopup
    label="Notificações"
    target={(toggle) => (
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Notificações" onClick={toggle}>
        <IconBell size={21} stroke={1.6} aria-hidden />
      </ActionIcon>
    )}
  >
    {() => (
      <>
        <Title order={2} size="h3">
          Notificações
        </Title>
        <InlineMessage icon={IconBellOff}>Você não tem notificações.</InlineMessage>
      </>
    )}
  </TopPopup>
)
