import type { FastifyRequest } from 'fastify'
import {
  type Begin,
  type ConnectionServices,
  type EffectiveIdentity,
  registeredConnection,
  withAdminAdvice,
} from '../../connections/index.ts'
import type { Write } from '../../platform/http/caller-transaction.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { isUserActivityOf } from '../../platform/http/guard/session-guard.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { embeddedReportOf, type Viewable } from './embedded-report.ts'

interface Opening {
  report: Viewable
  identity: EffectiveIdentity | undefined
  user: Caller
  request: FastifyRequest
  write: Write
  /** An administrator sees as another person: the token explains the row rules. */
  explainsRules?: boolean
  /** Called with the error of the capacity or the provider, before it is explained. */
  onError?: (error: unknown) => Promise<void>
}

/**
 * Issues a token for a report that a person opens, and notes the use of its capacity. Starts a
 * paused capacity if the person may and asks for it.
 * @throws Problem as `assertRunning` of the capacity gate, `issue` and `embeddedReportOf`
 */
export const issueForOpening = async (
  services: ConnectionServices,
  { report, identity, user, request, write, explainsRules, onError }: Opening,
) => {
  const { capacityGate, embedIssuer, secrets } = services
  const { idPowerBi, idGrupo: groupId, reportId, datasetsAdicionais } = report
  const opening = {
    idPowerBi,
    user,
    isUserActivity: isUserActivityOf(request),
    begin: (work: Parameters<Begin>[0]) => write((tx, audit) => work(tx, audit)),
  }
  const issue = async () => {
    await capacityGate.assertRunning(opening)
    const connection = registeredConnection(report, services)
    const reference = { connection, groupId, reportId, datasetsAdicionais }
    const bearer = { reader: secrets.digest(`leitor:${user.idUsuario}`), explainsRules }
    return embedIssuer.issue(reference, identity, bearer).catch((error: unknown) => {
      // Only an administrator can set the field that is missing.
      const needsAdminAdvice =
        user.tipo === 'ADMIN' && error instanceof Problem && error.codigo === 'bi_identidade_necessaria'
      throw needsAdminAdvice ? withAdminAdvice(error, connection) : error
    })
  }
  const issued = await issue().catch(async (error: unknown) => {
    await onError?.(error)
    throw await capacityGate.explain(error, opening)
  })
  const embedded = embeddedReportOf(report, issued)
  await capacityGate.noteUse(idPowerBi)
  return { issued, embedded }
}
