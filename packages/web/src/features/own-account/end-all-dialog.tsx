import { ownSessionsApi } from '@bi-manager/contract'
import { Alert, Button, Checkbox, Modal } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf } from '../../lib/api/api.ts'
import { endSession } from '../../lib/session/session.ts'
import dialog from '../../ui/dialog.module.css'

interface EndAllDialogProps {
  opened: boolean
  onClose: () => void
  /** Not called when this session ended, too, because the page is then gone. */
  onEnded: () => void
}

export const EndAllDialog = ({ opened, onClose, onEnded }: EndAllDialogProps) => {
  const [includesThis, setIncludesThis] = useState(false)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => call(ownSessionsApi.endAll, { query: includesThis ? { atual: 'true' } : {} }),
    networkMode: 'always',
    onSuccess: () => (includesThis ? endSession('saiu') : onEnded()),
  })
  const close = () => {
    reset()
    setIncludesThis(false)
    onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Encerrar todas as sessões?"
      centered
      withCloseButton={false}
    >
      <p className={dialog.subject}>
        Quem estiver usando a sua conta em outro aparelho sai na hora e precisa entrar de novo.
      </p>
      <Checkbox
        mt="md"
        label="Encerrar também neste aparelho"
        checked={includesThis}
        onChange={(event) => setIncludesThis(event.currentTarget.checked)}
      />
      {error && (
        <Alert color="red" role="alert" mt="md">
          {messageOf(error)}
        </Alert>
      )}
      <div className={dialog.answers}>
        <Button variant="default" onClick={close} data-autofocus>
          Não, cancelar
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate()}>
          Sim, encerrar
        </Button>
      </div>
    </Modal>
  )
}
