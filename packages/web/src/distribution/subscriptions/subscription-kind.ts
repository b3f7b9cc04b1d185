import { type Subscription, subscriptionEntity, subscriptionsApi } from '@bi-manager/contract'
import { call } from '../../lib/api/api.ts'
import { type DeliveryKind, deliveryTexts } from '../deliveries/delivery-kind.ts'

export const subscriptionKind: DeliveryKind<Subscription> = {
  entity: subscriptionEntity,
  idOf: ({ idAssinatura }) => idAssinatura,
  nameOf: ({ assunto }) => assunto,
  isActive: ({ ativa }) => ativa,
  mayEdit: ({ mostraEscolha }) => mostraEscolha,
  setActive: (id, ativa) => call(subscriptionsApi.setActive, { params: { id }, body: { ativa } }),
  remove: (id) => call(subscriptionsApi.remove, { params: { id } }),
  all: '/assinaturas/todas',
  consequence:
    'Ninguém mais a recebe, e o histórico de envios se perde. Para interromper por um tempo, pause-a.',
  texts: deliveryTexts('assinatura', 'a', 'envios'),
}
