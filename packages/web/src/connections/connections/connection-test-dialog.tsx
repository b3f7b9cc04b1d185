import { type Connection, connectionsApi } from '@bi-manager/contract'
import { Alert, Button, Group, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { connectionsKey } from '../../lib/api/query-keys.ts'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { ConnectionTestPanel } from './connection-test-panel.tsx'

interface ConnectionTestDialogProps {
  /** Undefined closes the dialog. */
  connection: Connection | undefined
  onClose: () => void
  /** The form below the dialog has changes that the test does not include. */
  hasUnsavedChanges?: boolean
}

/** 'Testar conexão': starts the test on opening and aborts it on closing. */
export const ConnectionTestDialog = ({
  connection,
  onClose,
  hasUnsavedChanges = false,
}: ConnectionTestDialogProps) => {
  const phone = useMediaQuery('(max-width: 63.99em)', undefined, { getInitialValueInEffect: false })
  const { shown } = useDialogTarget(connection)
  return (
    <Modal
      opened={connection !== undefined}
      onClose={onClose}
      title={`Testar conexão: ${shown?.nome ?? ''}`}
      size="40rem"
      centered
      fullScreen={phone ?? false}
      closeButtonProps={{ 'aria-label': 'Fechar o teste' }}
    >
      {hasUnsavedChanges && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} mb="md">
          O formulário tem alterações não gravadas. O teste usa a versão gravada: grave antes para testar o
          que você digitou.
        </Alert>
      )}
      {connection && <Test connection={connection} onClose={onClose} />}
    </Modal>
  )
}

const Test = ({ connection, onClose }: { connection: Connection; onClose: () => void }) => {
  // A query instead of a mutation, so that closing the dialog aborts it. The result is not cached.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...connectionsKey, connection.idPowerBI, 'teste', connection.versao],
    queryFn: ({ signal }) => call(connectionsApi.test, { params: { id: connection.idPowerBI } }, { signal }),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  })
  return (
    <>
      <ConnectionTestPanel result={isFetching ? undefined : data} error={isFetching ? null : error} />
      <Group justify="flex-end" gap="0.625rem" mt="1.25rem">
        <Button
          variant="default"
          // Not `disabled`, which would remove the focus from the pressed button.
          data-disabled={isFetching || undefined}
          aria-disabled={isFetching || undefined}
          onClick={() => !isFetching && void refetch()}
        >
          Testar novamente
        </Button>
        <Button onClick={onClose} data-autofocus>
          Fechar
        </Button>
      </Group>
    </>
  )
}
