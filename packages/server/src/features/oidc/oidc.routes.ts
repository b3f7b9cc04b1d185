import { oidcApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { bookAttempt, forgetAttempt } from '../../auth/attempt-limits.ts'
import { deviceMark } from '../../auth/known-devices.ts'
import { createOidcClient, type ExternalPerson, OidcFailure } from '../../auth/oidc-client.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { Db } from '../../db/open-database.ts'
import { networkOf } from '../../http/network-of.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import { createSessionOpener } from '../../sessions/open-session.ts'
import { identifyPerson } from './identify-person.ts'
import { findAccountOfIdentity } from './identities.repository.ts'
import { serveUnlinking } from './unlinking.routes.ts'

/** Serves sign-in through the identity provider; the calls answer 404 when none is configured. */
export const oidcRoutes = async (app: FastifyInstance, services: Services) => {
  const { config, db, secrets, now, recordAudit } = services
  const redirectUri = `${config.publicUrl}/entrar/oidc`
  const client = config.oidc && createOidcClient({ settings: config.oidc, redirectUri, now })
  const provider = () => {
    if (!client) throw new Problem('nao_encontrado')
    return client
  }
  const authorize = async () => void provider()
  const openSession = createSessionOpener(app, services)

  serve(app, oidcApi.start, () => provider().start(), { authorize })

  serve(
    app,
    oidcApi.finish,
    async ({ body }, { request }) => {
      const { perAddress } = config.signInFailures
      const address = { key: secrets.digest(`oidc-endereco:${networkOf(request.ip)}`), limit: perAddress }
      const booking = await bookAttempt(db, [address], now())
      try {
        const person = await provider().finish(body)
        const account = await identifyPerson({ services, person, request })
        return await openSession({
          account,
          metodo: 'provedor',
          senhaHash: undefined,
          marca: deviceMark(request, secrets.digest),
          request,
          booking,
          assertLinked: (tx) => assertLinked(tx, account.idUsuario, person),
        })
      } catch (error) {
        const isFailure = error instanceof Problem && error.codigo === 'entrada_recusada'
        // An identified person, or an unavailable provider, is not a guess.
        if (!isFailure) await forgetAttempt(db, booking)
        else if (error.cause instanceof OidcFailure) {
          const details = { metodo: 'provedor', motivo: error.codigo, razao: error.cause.reason }
          await recordAudit(db, { action: 'session.refused', idUsuario: null, details, request })
        }
        throw error
      }
    },
    { authorize },
  )

  serveUnlinking(app, services)
}

/**
 * Checks again, under a row lock: the account may have been unlinked since the provider answered.
 * @throws Problem 401
 */
const assertLinked = async (
  tx: Db,
  idUsuario: number,
  { issuer: emissor, subject: sujeito }: ExternalPerson,
): Promise<void> => {
  await lockRow(tx, 'usuario', idUsuario)
  const account = await findAccountOfIdentity(tx, { emissor, sujeito })
  if (account?.idUsuario !== idUsuario) throw new Problem('entrada_recusada')
}
