import type { Alert } from '@bi-manager/contract'
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { useIsPhone } from '../../ui/folded-tools.tsx'
import { restoreFocusAfterDialog } from '../../ui/page-focus.ts'
import { AlertForm } from './alert-form.tsx'
import { NewSecret } from './new-secret.tsx'

interface EditDialogProps {
  /** Undefined closes the dialog. */
  target: Alert | undefined
  onClose: () => void
}

/** Edits an alert on a page that does not show its report. */
export const EditAlertDialog = ({ target, onClose }: EditDialogProps) => {
  const { shown, opening } = useDialogTarget(target)
  const [segredo, setSegredo] = useState<string | null>(null)
  const close = () => {
    setSegredo(null)
    onClose()
  }
  return (
    <Modal
      opened={target !== undefined}
      onClose={close}
      onExitTransitionEnd={restoreFocusAfterDialog}
      title="Editar alerta"
      size="40rem"
      centered
      fullScreen={useIsPhone()}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {segredo && <NewSecret segredo={segredo} onClose={close} />}
      {!segredo && shown?.relatorio && (
        <AlertForm
          key={opening}
          idRelatorio={shown.relatorio.idRelatorio}
          alert={shown}
          onSaved={(saved) => (saved.segredo ? setSegredo(saved.segredo) : close())}
          onCancel={close}
        />
      )}
    </Modal>
  )
}
