import type { Alert } from '@bi-manager/contract'
import { useState } from 'react'
import { EditDeliveryDialog, type EditDialogProps } from '../deliveries/use-delivery-dialogs.tsx'
import { AlertForm } from './alert-form.tsx'
import { alertKind } from './alert-kind.ts'
import { NewSecret } from './new-secret.tsx'

/** Edits an alert on a page that does not show its report. */
export const EditAlertDialog = ({ target, onClose }: EditDialogProps<Alert>) => {
  const [segredo, setSegredo] = useState<string | null>(null)
  const close = () => {
    setSegredo(null)
    onClose()
  }
  return (
    <EditDeliveryDialog kind={alertKind} target={target} onClose={close}>
      {(alert, { idRelatorio }) =>
        segredo ? (
          <NewSecret segredo={segredo} onClose={close} />
        ) : (
          <AlertForm
            idRelatorio={idRelatorio}
            alert={alert}
            onSaved={(saved) => (saved.segredo ? setSegredo(saved.segredo) : close())}
            onCancel={close}
          />
        )
      }
    </EditDeliveryDialog>
  )
}
