import { ownSessionsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { orNotFound } from '../../platform/lib/problem.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { deviceMark, forgetDevices } from '../sessions/known-devices.ts'
import { endOwnSession, listOpenSessions } from './own-sessions.repository.ts'

export const serveOwnSessions = (app: FastifyInstance, services: Services): void => {
  const { db, config, secrets, now } = services
  const alive = () => ({ now: now(), idleSeconds: config.session.idleSeconds })

  serve(app, ownSessionsApi.list, (_, { user }) => listOpenSessions(db, user, alive()))

  serve(app, ownSessionsApi.end, async ({ params: { idSessao } }, { user, write }) => {
    const { idUsuario } = user
    await write.exclusive(async (tx, audit) => {
      const ended = orNotFound(await endOwnSession(tx, { idUsuario, idSessao }, alive()))
      await audit('session.revoked', `usuario:${idUsuario}`, {
        sessoesEncerradas: 1,
        dispositivo: ended.dispositivo,
        atual: idSessao === user.idSessao,
      })
    })
  })

  serve(app, ownSessionsApi.endAll, async ({ query: { atual = false } }, { user, request, write }) => {
    const { idUsuario, idSessao } = user
    return write.exclusive(async (tx, audit) => {
      const kept = atual ? undefined : idSessao
      await forgetDevices(tx, idUsuario, atual ? undefined : deviceMark(request, secrets.digest))
      const encerradas = await endSessionsOf(tx, idUsuario, { now: now(), kept })
      await audit('session.revoked', `usuario:${idUsuario}`, { sessoesEncerradas: encerradas, atual })
      return { encerradas }
    })
  })
}
