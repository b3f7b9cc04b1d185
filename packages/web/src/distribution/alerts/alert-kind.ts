import { type Alert, alertEntity, alertsApi } from '@bi-manager/contract'
import { call } from '../../lib/api/api.ts'
import { type DeliveryKind, deliveryTexts } from '../deliveries/delivery-kind.ts'

export const alertKind: DeliveryKind<Alert> = {
  entity: alertEntity,
  idOf: ({ idAlerta }) => idAlerta,
  nameOf: ({ nomeAlerta }) => nomeAlerta,
  isActive: ({ ativo }) => ativo,
  // Its value is read as the owner: an ADMIN would choose from other rows.
  mayEdit: ({ dono }, idUsuario) => dono.idUsuario === idUsuario,
  setActive: (id, ativo) => call(alertsApi.setActive, { params: { id }, body: { ativo } }),
  remove: (id) => call(alertsApi.remove, { params: { id } }),
  all: '/alertas/todos',
  consequence:
    'O valor deixa de ser vigiado, e o histórico se perde. Para interromper por um tempo, pause-o.',
  texts: deliveryTexts('alerta', 'o', 'avaliações'),
}
