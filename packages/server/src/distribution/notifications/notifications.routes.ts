import { NotificationKind, notificationsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { sendListHeaders } from '../../platform/http/lists/list-headers.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { listShownScopes } from '../alerts/alert-access.ts'
import { listBanners, storeBellReadings } from '../announcements/announcements.ts'
import { countUnread, listNotifications, markRead } from './notifications.repository.ts'

export const notificationsRoutes = async (app: FastifyInstance, { db, now, secrets }: Services) => {
  serve(app, notificationsApi.list, async ({ query }, context) => {
    const page = await listNotifications(db, context.user.idUsuario, query)
    const alerts = page.rows.flatMap(({ idAlerta, alcance }) => (idAlerta && alcance ? [idAlerta] : []))
    const scopes = await listShownScopes(db, secrets, alerts)
    return sendListHeaders(page, query, context).map(({ idAlerta, alcance, ...row }) => ({
      ...row,
      texto: alcance === null || scopes.get(idAlerta ?? 0) === alcance ? row.texto : HIDDEN_VALUE,
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

/** In place of a text whose value was read with another identity, or of another target. */
const HIDDEN_VALUE =
  'O valor foi lido com outra identidade ou com outra definição do alerta ou do relatório, e não é mais mostrado.'

/** During an upgrade, a newer node may have written a kind that this version does not know. */
const kindOf = (tipo: string): NotificationKind => NotificationKind.safeParse(tipo).data ?? 'aviso'
