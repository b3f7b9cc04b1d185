import { sessionsApi } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { forgetAttempt } from '../../auth/attempt-limits.ts'
import { endSession } from '../../auth/end-sessions.ts'
import { assertPasswordSignIn } from '../../auth/password-sign-in.ts'
import { requireSecondFactor } from '../../auth/second-factor.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import { createSessionOpener } from '../../sessions/open-session.ts'
import { serveChangeWithCurrent } from './change-with-current.routes.ts'
import { createPasswordAttempts } from './password-attempts.ts'

export const signInRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, config, secrets, now, recordAudit } = services
  const recordRefusal = (request: FastifyRequest, idUsuario: number | undefined, motivo: string) =>
    recordAudit(db, { action: 'session.refused', idUsuario: idUsuario ?? null, details: { motivo }, request })

  const attempts = createPasswordAttempts(services)
  const openSession = createSessionOpener(app, services)
  serveChangeWithCurrent(app, services, attempts)

  serve(app, sessionsApi.signIn, async ({ body: { username, password, codigo } }, { request }) => {
    assertPasswordSignIn(config)
    const refuse = (id: number | undefined, motivo: string) => recordRefusal(request, id, motivo)
    const { account, marca, isKnown, booking } = await attempts.identify({
      username,
      password,
      request,
      refuse,
    })
    const { idUsuario, senhaHash } = account
    const code = codigo?.trim() || undefined
    try {
      // Codes count per user, across names and devices; known devices count separately, so that a
      // stranger's guesses do not lock the owner out.
      if (code) {
        const allowance = {
          key: secrets.digest(`${isKnown ? 'codigo-conhecido' : 'codigo'}:${idUsuario}`),
          limit: config.signInFailures.perName,
        }
        booking.push(...(await attempts.book([allowance], () => refuse(idUsuario, 'limite de tentativas'))))
      }
      return await openSession({
        account,
        metodo: 'senha',
        senhaHash,
        marca,
        request,
        booking,
        secondFactor: {
          isShown: code !== undefined,
          require: (tx) => requireSecondFactor(tx, services, { idUsuario, code, request }),
        },
      })
    } catch (error) {
      const refusal = error instanceof Problem ? error.codigo : undefined
      // The password was right, and no code was checked.
      if (refusal === 'segundo_fator_necessario' || refusal === 'muitas_tentativas') {
        await forgetAttempt(db, booking)
      }
      if (refusal === 'codigo_invalido') await recordRefusal(request, idUsuario, 'código do segundo fator')
      throw error
    }
  })

  serve(app, sessionsApi.signOut, async (_, { user, request, write }) => {
    await write.exclusive(async (tx) => {
      await endSession(tx, user, now())
      await recordAudit(tx, { action: 'session.ended', idUsuario: user.idUsuario, request })
    })
  })
}
