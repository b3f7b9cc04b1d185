import { oidcApi } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { networkOf } from '../../platform/http/limits/network-of.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { withAttempt } from '../credentials/attempt-limits.ts'
import { createRefusalWindows } from '../credentials/refusal-windows.ts'
import { rolesAllowedFrom } from '../security-settings/sign-in-networks.ts'
import { openSession } from '../sessions/open-session.ts'
import { lockActiveAccount } from '../sessions/sessions.repository.ts'
import { identifyPerson } from './identify-person.ts'
import { findAccountOfIdentity } from './identities.repository.ts'
import { createOidcClient, type ExternalPerson, OidcFailure } from './oidc-client.ts'
import { serveUnlinking } from './unlinking.routes.ts'

/** Serves sign-in through the identity provider; the calls answer 404 when none is configured. */
export const oidcRoutes = async (app: FastifyInstance, services: Services) => {
  const { config, db, secrets, now, writeAudit } = services
  const redirectUri = `${config.publicUrl}/entrar/oidc`
  const client = config.oidc && createOidcClient({ settings: config.oidc, redirectUri, now })
  const provider = () => {
    if (!client) throw new Problem('nao_encontrado')
    return client
  }
  const authorize = async () => void provider()

  const isFirstRefusal = createRefusalWindows(now)
  serve(
    app,
    oidcApi.start,
    (_call, { request }) =>
      provider()
        .start()
        .catch(async (error: unknown) => {
          if (error instanceof Problem && isSettingsFault(error) && isFirstRefusal(error.codigo))
            await auditRefusal(error, request)
          throw error
        }),
    { authorize },
  )
  const auditRefusal = async ({ codigo, cause }: Problem, request: FastifyRequest) => {
    const razao = cause instanceof OidcFailure ? cause.reason : undefined
    const details = { metodo: 'provedor', motivo: codigo, razao }
    await writeAudit(db, { action: 'session.refused', idUsuario: null, details, request })
  }

  serve(
    app,
    oidcApi.finish,
    async ({ body }, { request }) => {
      const { perAddress } = config.signInFailures
      const address = { key: secrets.digest(`oidc-endereco:${networkOf(request.ip)}`), limit: perAddress }
      let known: number | null = null
      return withAttempt(services, { allowances: [address], isFailure }, async (attempt) => {
        const person = await provider().finish(body)
        const account = await identifyPerson({ services, person, request })
        known = account.idUsuario
        const roles = await rolesAllowedFrom(db, config, request.ip)
        if (!roles.has(account.tipoUsuario)) throw new Problem('rede_nao_permitida')
        return inTransaction(db, async (tx) => {
          await assertLinked(tx, account.idUsuario, person)
          const opening = { account, metodo: 'provedor', segundoFator: null, request } as const
          const signedIn = await openSession(app, tx, services, opening)
          await attempt.forget(tx)
          return signedIn
        })
      }).catch(async (error: unknown) => {
        const isAudited =
          isFailure(error) ||
          (error instanceof Problem && isSettingsFault(error) && isFirstRefusal(error.codigo))
        if (isAudited && error.cause instanceof OidcFailure) await auditRefusal(error, request)
        if (error instanceof Problem && error.codigo === 'rede_nao_permitida') {
          const details = { metodo: 'provedor', motivo: 'rede não permitida' }
          await writeAudit(db, { action: 'session.refused', idUsuario: known, details, request })
        }
        throw error
      })
    },
    { authorize },
  )

  serveUnlinking(app, services)
}

/** Returns whether a setting refuses every sign-in, which an administrator must correct. */
const isSettingsFault = ({ cause }: Problem): boolean =>
  cause instanceof OidcFailure && cause.reason === 'issuer'

/** An identified person, or an unavailable provider, is not a guess. */
const isFailure = (error: unknown): error is Problem =>
  error instanceof Problem && error.codigo === 'entrada_recusada'

/**
 * Checks again, under a row lock: the account may have been blocked or unlinked since the provider
 * answered.
 * @throws Problem 401
 */
const assertLinked = async (
  tx: Db,
  idUsuario: number,
  { issuer: emissor, subject: sujeito }: ExternalPerson,
): Promise<void> => {
  const locked = await lockActiveAccount(tx, idUsuario)
  const account = locked && (await findAccountOfIdentity(tx, { emissor, sujeito }))
  if (account?.idUsuario !== idUsuario) throw new Problem('entrada_recusada')
}
