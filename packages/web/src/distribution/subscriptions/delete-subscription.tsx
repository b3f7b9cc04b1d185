import { type Subscription, subscriptionEntity, subscriptionsApi } from '@bi-manager/contract'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'

interface DeleteSubscriptionProps {
  target: Subscription | undefined
  onClose: () => void
  onDeleted?: () => void
}

export const DeleteSubscription = ({ target, onClose, onDeleted }: DeleteSubscriptionProps) => {
  const client = useQueryClient()
  return (
    <ConfirmDelete
      target={target}
      onClose={onClose}
      question="Deseja mesmo excluir esta assinatura?"
      done="Assinatura excluída!"
      consequence="Ninguém mais a recebe, e o histórico de envios se perde. Para interromper por um tempo, pause-a."
      nameOf={({ assunto }) => assunto}
      remove={({ idAssinatura: id }) => call(subscriptionsApi.remove, { params: { id } })}
      onDeleted={() => {
        refreshAfter(client, subscriptionEntity)
        onDeleted?.()
      }}
    />
  )
}
