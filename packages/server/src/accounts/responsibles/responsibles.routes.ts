import { responsiblesApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { insertResponsible, listResponsibles } from './responsibles.repository.ts'

export const responsiblesRoutes = async (app: FastifyInstance, { db }: Services) => {
  serveList(app, responsiblesApi.list, (query) => listResponsibles(db, query))

  serve(app, responsiblesApi.create, ({ body }, { write }) =>
    write(async (tx, audit) => {
      const responsible = await insertResponsible(tx, body)
      await audit('responsible.created', `responsible:${responsible.idResponsavel}`, { depois: responsible })
      return responsible
    }),
  )
}
