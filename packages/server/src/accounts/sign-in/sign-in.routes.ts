import { sessionsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { assertPasswordSignIn } from '../credentials/password-sign-in.ts'
import { requireSecondFactor } from '../credentials/second-factor.ts'
import { endSession } from '../sessions/end-sessions.ts'
import { openSession } from '../sessions/open-session.ts'
import { lockActiveAccount } from '../sessions/sessions.repository.ts'
import { serveChangeWithCurrent } from './change-with-current.routes.ts'
import { createPasswordAttempts } from './password-attempts.ts'

export const signInRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, config, secrets, now, writeAudit } = services
  // Both calls take a name and a password: they share the audit of refusals.
  const withPassword = createPasswordAttempts(services)
  serveChangeWithCurrent(app, services, withPassword)

  serve(app, sessionsApi.signIn, async ({ body: { username, password, codigo } }, { request }) => {
    assertPasswordSignIn(config)
    const code = codigo?.trim() || undefined
    const refuse = (idUsuario: number | undefined, motivo: string) =>
      writeAudit(db, {
        action: 'session.refused',
        idUsuario: idUsuario ?? null,
        details: { motivo },
        request,
      })
    // Finds the account, books the attempt and verifies the password.
    return withPassword({ username, password, request, refuse, isFailure }, async (account, attempt) => {
      const { idUsuario, senhaHash, isKnown } = account
      // Codes count per user, across names and devices; known devices count separately, so that a
      // stranger's guesses do not lock the owner out.
      const key = secrets.digest(`${isKnown ? 'codigo-conhecido' : 'codigo'}:${idUsuario}`)
      if (code) await attempt.book([{ key, limit: config.signInFailures.perName }])
      return inTransaction(db, async (tx) => {
        const locked = await lockActiveAccount(tx, idUsuario, senhaHash)
        if (!locked) throw new Problem('credenciais_invalidas')
        const segundoFator = await requireSecondFactor(tx, services, { ...locked, code, request })
        const opening = { account, metodo: 'senha', segundoFator, request } as const
        const signedIn = await openSession(app, tx, services, opening)
        await attempt.forget(tx)
        return signedIn
      }).catch(async (error: unknown) => {
        if (codeOf(error) === 'codigo_invalido') await refuse(idUsuario, 'código do segundo fator')
        throw error
      })
    })
  })

  serve(app, sessionsApi.signOut, async (_, { user, write }) => {
    await write.exclusive(async (tx, audit) => {
      await endSession(tx, user, now())
      await audit('session.ended')
    })
  })
}

const codeOf = (error: unknown) => (error instanceof Problem ? error.codigo : undefined)

/** The password was right and no code was checked: the attempt is no guess. */
const isFailure = (error: unknown): boolean =>
  !['segundo_fator_necessario', 'muitas_tentativas', 'rede_nao_permitida'].includes(codeOf(error) ?? '')
