import { NotificationKind, notificationsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { sendListHeaders } from '../../http/lists/list-headers.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { listBanners, storeBellReadings } from '../../notifications/announcements.ts'
import { countUnread, listNotifications, markRead } from './notifications.repository.ts'

export const notificationsRoutes = async (app: FastifyInstance, { db, now }: Services) => {
  serve(app, notificationsApi.list, async ({ query }, context) => {
    const page = await listNotifications(db, context.user.idUsuario, query)
    return sendListHeaders(page, query, context).map((row) => ({
      ...row,
      tipo: kindOf(row.tipo),
      criadaEm: row.criadaEm.toISOString(),
      lidaEm: row.lidaEm?.toISOString() ?? null,
    }))
  })

  serve(app, notificationsApi.unread, async (_, { user: { idUsuario } }) => {
    const [naoLidas, avisos] = await Promise.all([
      countUnread(db, idUsuario),
      listBanners(db, idUsuario, now()),
    ])
    return { naoLidas, avisos }
  })

  serve(app, notificationsApi.markRead, ({ body }, { user: { idUsuario }, write }) =>
    write(async (tx) => {
      await markRead(tx, idUsuario, body, now())
      await storeBellReadings(tx, idUsuario)
      return { naoLidas: await countUnread(tx, idUsuario) }
    }),
  )
}

/** During an upgrade, a newer node may have written a kind that this version does not know. */
const kindOf = (tipo: string): NotificationKind => NotificationKind.safeParse(tipo).data ?? 'aviso'
