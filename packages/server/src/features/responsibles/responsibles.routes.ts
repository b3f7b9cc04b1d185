import { responsiblesApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { sendListHeaders } from '../../http/list-headers.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { insertResponsible, listResponsibles } from './responsibles.repository.ts'

export const responsiblesRoutes = async (app: FastifyInstance, { db }: Services) => {
  serve(app, responsiblesApi.list, async ({ query }, context) =>
    sendListHeaders(await listResponsibles(db, query), query, context),
  )

  serve(app, responsiblesApi.create, ({ body }, { write }) =>
    write(async (tx, audit) => {
      const responsible = await insertResponsible(tx, body)
      await audit('responsible.created', `responsible:${responsible.idResponsavel}`, { depois: responsible })
      return responsible
    }),
  )
}
