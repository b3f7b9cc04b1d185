import { menusApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { findMenu } from './menus.repository.ts'

export const menusRoutes = async (app: FastifyInstance, { db }: Services) => {
  serve(app, menusApi.list, (_, { user }) =>
    findMenu(db, { idUsuario: user.idUsuario, isAdmin: user.tipo === 'ADMIN' }),
  )
}
