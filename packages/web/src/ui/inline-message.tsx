import { Stack, Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import shared from './shared.module.css'

interface InlineMessageProps {
  icon: Icon
  children: ReactNode
  action?: ReactNode
  /** True announces an error at once; an empty state is not announced. */
  alert?: boolean
}

/** Shown in a part of a page that has no content: empty or failed. */
export const InlineMessage = ({ icon: IconOf, children, action, alert = false }: InlineMessageProps) => (
  <Stack align="center" gap="xs" px="md" py="1.5rem" ta="center" role={alert ? 'alert' : undefined}>
    <IconOf size={26} stroke={1.5} aria-hidden className={shared.dimmed} />
    <Text c="dimmed" fz="sm" maw="26rem">
      {children}
    </Text>
    {action}
  </Stack>
)
