import { type BoundPage, PageRoute, pagesApi, pageTitles } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { type Viewer, viewerOf } from '../visibility/visible-reports.ts'
import { bindReport, findBoundReports } from './pages.repository.ts'

export const pagesRoutes = async (app: FastifyInstance, { db }: Services) => {
  serve(app, pagesApi.list, async (_, { user }) => {
    const bound = await findBoundReports(db, viewerOf(user), PageRoute.options)
    return PageRoute.options.map((rota) => pageOf(rota, bound))
  })

  serve(app, pagesApi.get, ({ params }, { user }) => findPage(db, viewerOf(user), params.rota))

  serve(app, pagesApi.update, ({ params: { rota }, body }, { user, write }) =>
    write(async (tx, audit) => {
      const before = await findPage(tx, viewerOf(user), rota)
      await bindReport(tx, rota, body.idRelatorio)
      const page = await findPage(tx, viewerOf(user), rota)
      await audit('page.bound', `pagina:${rota}`, { antes: before.relatorio, depois: page.relatorio })
      return page
    }),
  )
}

const findPage = async (db: Db, viewer: Viewer, rota: PageRoute): Promise<BoundPage> =>
  pageOf(rota, await findBoundReports(db, viewer, [rota]))

const pageOf = (rota: PageRoute, bound: Awaited<ReturnType<typeof findBoundReports>>): BoundPage => {
  const relatorio = bound.get(rota) ?? null
  return { rota, titulo: pageTitles[rota], idRelatorio: relatorio?.idRelatorio ?? null, relatorio }
}
