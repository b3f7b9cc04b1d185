import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idField } from './fields.ts'
import { pageQuery } from './lists.ts'

export const NotificationKind = z.enum([
  'permissao_liberada',
  'conta_aguardando',
  'conexao_falhando',
  'senha_alterada',
  'segundo_fator_alterado',
  'sessoes_encerradas',
  'acesso_saude_alterado',
  'seguranca_alterada',
  'sistema_com_problema',
  'copia_falhou',
])
export type NotificationKind = z.infer<typeof NotificationKind>

export const Notification = z
  .object({
    idNotificacao: z.number().int(),
    tipo: NotificationKind,
    /** In Portuguese, for the screen. */
    titulo: z.string(),
    texto: z.string(),
    /** The portal page it refers to, beginning with `/`. */
    rota: z.string().nullable(),
    criadaEm: z.iso.datetime(),
    lidaEm: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof Notification>

const Unread = z.object({ naoLidas: z.number().int() }).meta({ id: 'UnreadNotifications' })

const tag = 'Notificações'
const permission = 'account:own'

export const notificationsApi = {
  list: endpoint({
    method: 'GET',
    url: '/notificacoes',
    permission,
    tag,
    summary: 'As próprias notificações, as mais novas primeiro',
    query: pageQuery.extend({ naoLidas: z.stringbool().optional() }),
    response: { 200: z.array(Notification) },
  }),
  unread: endpoint({
    method: 'GET',
    url: '/notificacoes/resumo',
    permission,
    tag,
    summary: 'Quantas notificações não foram lidas',
    response: { 200: Unread },
  }),
  markRead: endpoint({
    method: 'POST',
    url: '/notificacoes/lidas',
    permission,
    tag,
    summary: 'Marca como lidas as notificações ditas, ou todas',
    body: z.object({ ids: z.array(idField()).max(1_000).optional() }).meta({ id: 'NotificationsRead' }),
    response: { 200: Unread },
  }),
}
