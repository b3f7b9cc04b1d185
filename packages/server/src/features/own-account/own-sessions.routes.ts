import { ownSessionsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { endSessionsOf } from '../../auth/end-sessions.ts'
import { deviceMark, forgetDevices } from '../../auth/known-devices.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import { endOwnSession, listOpenSessions } from './own-sessions.repository.ts'

export const serveOwnSessions = (app: FastifyInstance, services: Services): void => {
  const { db, config, secrets, now, recordAudit } = services
  const alive = () => ({ now: now(), idleSeconds: config.session.idleSeconds })

  serve(app, ownSessionsApi.list, (_, { user }) => listOpenSessions(db, user, alive()))

  serve(app, ownSessionsApi.end, async ({ params: { idSessao } }, { user, request, write }) => {
    const { idUsuario } = user
    await write.exclusive(async (tx) => {
      const ended = await endOwnSession(tx, { idUsuario, idSessao }, alive())
      if (!ended) throw new Problem('nao_encontrado')
      await recordAudit(tx, {
        action: 'session.revoked',
        idUsuario,
        subject: `usuario:${idUsuario}`,
        details: {
          sessoesEncerradas: 1,
          dispositivo: ended.dispositivo,
          atual: idSessao === user.idSessao,
        },
        request,
      })
    })
  })

  serve(app, ownSessionsApi.endAll, async ({ query: { atual = false } }, { user, request, write }) => {
    const { idUsuario, idSessao } = user
    return write.exclusive(async (tx) => {
      const kept = atual ? undefined : idSessao
      await forgetDevices(tx, idUsuario, atual ? undefined : deviceMark(request, secrets.digest))
      const encerradas = await endSessionsOf(tx, idUsuario, { now: now(), kept })
      await recordAudit(tx, {
        action: 'session.revoked',
        idUsuario,
        subject: `usuario:${idUsuario}`,
        details: { sessoesEncerradas: encerradas, atual },
        request,
      })
      return { encerradas }
    })
  })
}
