import { menusApi } from '@bi-manager/contract'
import { cacheLookups } from '@bi-manager/telemetry/events'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { SerialisedJson, serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { createBoundedCache } from '../../platform/lib/bounded-cache.ts'
import { viewerOf } from '../visibility/visible-reports.ts'
import { findMenu, listMenuReports, searchMenu } from './menu.ts'

export const menusRoutes = async (app: FastifyInstance, { db }: Services) => {
  /**
   * Serialised menus. The version was read with the session of the call, so no older menu is sent.
   */
  const kept = createBoundedCache<{ version: string; menu: SerialisedJson }>(500)

  serve(app, menusApi.list, async (_, { user }) => {
    const key = ownerOf(user)
    const hit = kept.get(key)
    const isHit = hit?.version === user.versaoAcesso
    cacheLookups.publish({ cache: 'menu', isHit })
    if (isHit) return hit.menu
    const menu = new SerialisedJson(JSON.stringify(await findMenu(db, viewerOf(user))))
    kept.set(key, { version: user.versaoAcesso, menu })
    return menu
  })
  serve(app, menusApi.search, ({ query }, { user }) => searchMenu(db, viewerOf(user), query.busca))
  serve(app, menusApi.reports, ({ params }, { user }) =>
    listMenuReports(db, viewerOf(user), params.idGrupoRelatorio),
  )
}

const ownerOf = ({ idUsuario, tipo }: Caller): string => `${tipo}:${idUsuario}`
