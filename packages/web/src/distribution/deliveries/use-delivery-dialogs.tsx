import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, Fragment, type ReactNode, useState } from 'react'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { useIsPhone } from '../../ui/folded-tools.tsx'
import { restoreFocusAfterDialog } from '../../ui/page-focus.ts'
import type { Delivery, DeliveryKind } from './delivery-kind.ts'

export interface EditDialogProps<T> {
  /** Undefined closes the dialog. */
  target: T | undefined
  onClose: () => void
}

/** The dialogs that edit one and that ask before one is deleted. */
export const useDeliveryDialogs = <T extends Delivery>(
  kind: DeliveryKind<T>,
  { Edit, onDeleted }: { Edit?: ComponentType<EditDialogProps<T>> | undefined; onDeleted?: () => void } = {},
) => {
  const client = useQueryClient()
  const [editing, edit] = useState<T>()
  const [toDelete, askToDelete] = useState<T>()
  return {
    edit,
    askToDelete,
    isDeleting: toDelete !== undefined,
    dialogs: (
      <>
        {Edit && <Edit target={editing} onClose={() => edit(undefined)} />}
        <ConfirmDelete
          {...kind.texts.removing}
          consequence={kind.consequence}
          target={toDelete}
          onClose={() => askToDelete(undefined)}
          nameOf={kind.nameOf}
          remove={(one) => kind.remove(kind.idOf(one))}
          onDeleted={() => {
            refreshAfter(client, kind.entity)
            onDeleted?.()
          }}
        />
      </>
    ),
  }
}

interface EditDeliveryProps<T extends Delivery> extends EditDialogProps<T> {
  kind: DeliveryKind<T>
  /** The form of one whose report the viewer sees. */
  children: (one: T, report: NonNullable<T['relatorio']>) => ReactNode
}

/** Edits one on a page that does not show its report. */
export const EditDeliveryDialog = <T extends Delivery>(props: EditDeliveryProps<T>) => {
  const { kind, target, onClose, children } = props
  const { shown, opening } = useDialogTarget(target)
  return (
    <Modal
      opened={target !== undefined}
      onClose={onClose}
      onExitTransitionEnd={restoreFocusAfterDialog}
      title={kind.texts.edit}
      size="40rem"
      centered
      fullScreen={useIsPhone()}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {shown?.relatorio && <Fragment key={opening}>{children(shown, shown.relatorio)}</Fragment>}
    </Modal>
  )
}
