import { Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { messageOf } from '../../lib/api/api.ts'
import { ActionButton } from '../action-button.tsx'
import { InlineMessage } from '../inline-message.tsx'
import { useFailure } from './failure-scope.tsx'

interface ListFailureProps {
  error: unknown
  isFetching: boolean
  onRetry: () => void
  size?: 'xs'
}

/** Shows an error in place of a list, with 'Tentar novamente'; once for the parts of a page. */
export const ListFailure = ({ error, isFetching, onRetry, size }: ListFailureProps) => {
  const message = messageOf(error)
  const { isFirst, retryAll } = useFailure(message, onRetry)
  if (!isFirst)
    return (
      <Text c="dimmed" fz="sm" ta="center" p="md">
        Não carregou.
      </Text>
    )
  return (
    <InlineMessage
      alert
      icon={IconAlertTriangle}
      action={<ActionButton label="Tentar novamente" size={size} loading={isFetching} onClick={retryAll} />}
    >
      {message}
    </InlineMessage>
  )
}
