import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { messageOf } from '../../lib/api/api.ts'
import { InlineMessage } from '../inline-message.tsx'

interface ListFailureProps {
  error: unknown
  isFetching: boolean
  onRetry: () => void
}

/** Shows an error in place of a list, with 'Tentar novamente'. */
export const ListFailure = ({ error, isFetching, onRetry }: ListFailureProps) => (
  <InlineMessage
    alert
    icon={IconAlertTriangle}
    action={
      <Button variant="default" loading={isFetching} onClick={onRetry}>
        Tentar novamente
      </Button>
    }
  >
    {messageOf(error)}
  </InlineMessage>
)
