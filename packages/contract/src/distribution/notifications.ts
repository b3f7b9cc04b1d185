import { callsOf, namedObject } from '../calls/endpoint.ts'
import { idField } from '../calls/fields.ts'
import { pageQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'
import { ShownAnnouncement } from './announcements.ts'

export const NotificationKind = z.enum([
  'permissao_liberada',
  'conta_aguardando',
  'conexao_falhando',
  'senha_alterada',
  'segundo_fator_alterado',
  'sessoes_encerradas',
  'chave_api_alterada',
  'acesso_saude_alterado',
  'seguranca_alterada',
  'sistema_com_problema',
  'copia_falhou',
  'aviso',
  'acesso_vence',
  'pedido_acesso',
  'assinatura',
  'comentario',
  'alerta',
])
export type NotificationKind = z.infer<typeof NotificationKind>

export const Notification = namedObject('Notification', {
  idNotificacao: z.number().int(),
  tipo: NotificationKind,
  /** A Portuguese sentence for the screen. */
  titulo: z.string(),
  texto: z.string(),
  /** The portal page it refers to, beginning with `/`. */
  rota: z.string().nullable(),
  criadaEm: z.iso.datetime(),
  lidaEm: z.iso.datetime().nullable(),
})
export type Notification = z.infer<typeof Notification>

const Unread = namedObject('UnreadNotifications', { naoLidas: z.number().int() })

/** Part of the bell's call, so that banners delay no page. */
export const NotificationsSummary = namedObject('NotificationsSummary', {
  ...Unread.shape,
  /** Unread announcements to be shown as banners: of maintenance first, then the newest. */
  avisos: z.array(ShownAnnouncement),
})
export type NotificationsSummary = z.infer<typeof NotificationsSummary>

const { get, post } = callsOf({ tag: 'Notificações', permission: 'account:own' })

export const notificationsApi = {
  list: get('/notificacoes', 'As próprias notificações, as mais novas primeiro', {
    query: pageQuery.extend({ naoLidas: z.stringbool().optional() }),
    response: { 200: z.array(Notification) },
  }),
  unread: get(
    '/notificacoes/resumo',
    'Quantas notificações não foram lidas, e os avisos em curso que aparecem em faixas',
    { response: { 200: NotificationsSummary } },
  ),
  markRead: post('/notificacoes/lidas', 'Marca como lidas as notificações ditas, ou todas', {
    body: namedObject('NotificationsRead', {
      ids: z.array(idField()).max(1_000).optional(),
      /** Those about a thread of comments. */
      idConversa: idField().optional(),
    }),
    response: { 200: Unread },
  }),
}
