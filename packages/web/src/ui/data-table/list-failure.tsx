import { IconAlertTriangle } from '@tabler/icons-react'
import { messageOf } from '../../lib/api/api.ts'
import { ActionButton } from '../action-button.tsx'
import { InlineMessage } from '../inline-message.tsx'

interface ListFailureProps {
  error: unknown
  isFetching: boolean
  onRetry: () => void
  size?: 'xs'
}

/** Shows an error in place of a list, with 'Tentar novamente'. */
export const ListFailure = ({ error, isFetching, onRetry, size }: ListFailureProps) => (
  <InlineMessage
    alert
    icon={IconAlertTriangle}
    action={<ActionButton label="Tentar novamente" size={size} loading={isFetching} onClick={onRetry} />}
  >
    {messageOf(error)}
  </InlineMessage>
)
