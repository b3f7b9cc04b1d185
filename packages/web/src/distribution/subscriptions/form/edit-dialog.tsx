import type { Subscription } from '@bi-manager/contract'
import { Modal } from '@mantine/core'
import { useDialogTarget } from '../../../ui/dialog/use-dialog-target.ts'
import { useIsPhone } from '../../../ui/folded-tools.tsx'
import { restoreFocusAfterDialog } from '../../../ui/page-focus.ts'
import { SubscriptionForm } from './subscription-form.tsx'

interface EditDialogProps {
  /** Undefined closes the dialog. */
  target: Subscription | undefined
  onClose: () => void
}

/** Edits a subscription on a page that does not show its report. */
export const EditSubscriptionDialog = ({ target, onClose }: EditDialogProps) => {
  const { shown, opening } = useDialogTarget(target)
  return (
    <Modal
      opened={target !== undefined}
      onClose={onClose}
      onExitTransitionEnd={restoreFocusAfterDialog}
      title="Editar assinatura"
      size="40rem"
      centered
      fullScreen={useIsPhone()}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {shown?.relatorio && (
        <SubscriptionForm
          key={opening}
          idRelatorio={shown.relatorio.idRelatorio}
          nomeRelatorio={shown.relatorio.nomeRelatorio}
          isPaginated={shown.relatorio.tipoRelatorio === 'PAGINADO'}
          subscription={shown}
          onSaved={onClose}
          onCancel={onClose}
        />
      )}
    </Modal>
  )
}
