import type { Subscription } from '@bi-manager/contract'
import { EditDeliveryDialog, type EditDialogProps } from '../../deliveries/use-delivery-dialogs.tsx'
import { subscriptionKind } from '../subscription-kind.ts'
import { SubscriptionForm } from './subscription-form.tsx'

/** Edits a subscription on a page that does not show its report. */
export const EditSubscriptionDialog = ({ target, onClose }: EditDialogProps<Subscription>) => (
  <EditDeliveryDialog kind={subscriptionKind} target={target} onClose={onClose}>
    {(subscription, { idRelatorio, nomeRelatorio, tipoRelatorio }) => (
      <SubscriptionForm
        idRelatorio={idRelatorio}
        nomeRelatorio={nomeRelatorio}
        isPaginated={tipoRelatorio === 'PAGINADO'}
        subscription={subscription}
        onSaved={onClose}
        onCancel={onClose}
      />
    )}
  </EditDeliveryDialog>
)
