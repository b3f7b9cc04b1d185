import { callsOf, namedObject } from '../calls/endpoint.ts'
import { storedTimes } from '../calls/recurrence.ts'
import { z } from '../calls/zod.ts'
import { PanelChoice } from '../reports/panel-filters.ts'
import {
  SubscribedReport,
  SubscriptionDelivery,
  SubscriptionFormat,
  SubscriptionFrequency,
} from './subscriptions.ts'

/* What a recipient sees of a subscription, and how they leave it. */

/** What a subscription shows in its report, for those who receive it. */
export const SubscriptionChoice = namedObject('SubscriptionChoice', {
  pagina: z.string().nullable(),
  filtros: PanelChoice,
  marcador: z.string().nullable(),
})
export type SubscriptionChoice = z.infer<typeof SubscriptionChoice>

/** A subscription of another person's, to a report that the recipient may see and leave. */
export const ReceivedSubscription = namedObject('ReceivedSubscription', {
  idAssinatura: z.number().int(),
  assunto: z.string(),
  relatorio: SubscribedReport,
  formato: SubscriptionFormat,
  entrega: SubscriptionDelivery,
  frequencia: SubscriptionFrequency,
  ...storedTimes,
  ativa: z.boolean(),
  nomeDono: z.string(),
  /** Whether the person has unsubscribed. */
  saiu: z.boolean(),
  proximaEm: z.iso.datetime().nullable(),
})
export type ReceivedSubscription = z.infer<typeof ReceivedSubscription>

/** What the page of the link 'cancelar' in an e-mail shows, without sign-in. */
export const UnsubscribePage = namedObject('UnsubscribePage', {
  /** Null: the recipient may not see the report any more, or the subscription is gone. */
  assunto: z.string().nullable(),
  /** `a…@exemplo.com.br` */
  email: z.string(),
  saiu: z.boolean(),
})
export type UnsubscribePage = z.infer<typeof UnsubscribePage>

const { get, post, remove } = callsOf({ tag: 'Assinaturas', permission: 'reports:view' })
const token = z.object({ token: z.string().max(200) })

export const receivedSubscriptionsApi = {
  list: get('/assinaturas/recebidas', 'As assinaturas que um administrador fez para a pessoa', {
    response: { 200: z.array(ReceivedSubscription) },
  }),
  /** The link of an e-mail names the subscription only. */
  choice: get(
    '/usuarios/relatorio/:id/assinaturas/:idAssinatura/escolha',
    'Página, filtros e seleções de uma assinatura, para quem a recebe',
    { response: { 200: SubscriptionChoice } },
  ),
  leave: post('/assinaturas/:id/saida', 'Deixa de receber uma assinatura'),
  returnTo: remove('/assinaturas/:id/saida', 'Volta a receber uma assinatura'),
  unsubscribePage: get('/assinaturas/cancelamento', 'A assinatura do link de um e-mail', {
    permission: 'public',
    query: token,
    response: { 200: UnsubscribePage },
  }),
  /** Mail programs send a form (RFC 8058), whose content is not read. */
  unsubscribe: post('/assinaturas/cancelamento', 'Deixa de receber a assinatura do link de um e-mail', {
    permission: 'public',
    query: token,
  }),
}

/** The page of the link in an e-mail, whose query has the token. */
export const UNSUBSCRIBE_PATH = '/cancelar-assinatura'
