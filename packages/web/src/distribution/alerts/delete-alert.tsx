import { type Alert, alertsApi } from '@bi-manager/contract'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { refreshAlerts } from './alert-queries.ts'

interface DeleteAlertProps {
  target: Alert | undefined
  onClose: () => void
  onDeleted?: () => void
}

export const DeleteAlert = ({ target, onClose, onDeleted }: DeleteAlertProps) => {
  const client = useQueryClient()
  return (
    <ConfirmDelete
      target={target}
      onClose={onClose}
      question="Deseja mesmo excluir este alerta?"
      done="Alerta excluído!"
      consequence="O valor deixa de ser vigiado, e o histórico se perde. Para interromper por um tempo, pause-o."
      nameOf={({ nomeAlerta }) => nomeAlerta}
      remove={({ idAlerta: id }) => call(alertsApi.remove, { params: { id } })}
      onDeleted={() => {
        refreshAlerts(client)
        onDeleted?.()
      }}
    />
  )
}
