import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { messageOf } from '../../lib/api/api.ts'
import { InlineMessage } from '../../ui/inline-message.tsx'

interface MenuFailureProps {
  error: unknown
  retry: () => void
  isRetrying: boolean
}

export const MenuFailure = ({ error, retry, isRetrying }: MenuFailureProps) => (
  <InlineMessage
    alert
    icon={IconAlertTriangle}
    action={
      <Button variant="default" size="xs" loading={isRetrying} onClick={retry}>
        Tentar novamente
      </Button>
    }
  >
    {messageOf(error)}
  </InlineMessage>
)
