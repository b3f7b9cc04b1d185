import { isDeepStrictEqual } from 'node:util'
import type { AuditAction } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import {
  type ConnectionServices,
  connectionColumns,
  type EffectiveIdentity,
  registeredConnection,
} from '../../connections/index.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { embeddedReportOf, type Viewable } from './embedded-report.ts'

/** The columns that `embedWithoutUser` needs, for a query of `relatorio`, `grupoRelatorio` and `powerbi`. */
export const openedColumns = [
  'relatorio.idRelatorio',
  'relatorio.nomeRelatorio',
  'operadoraRelatorio',
  'reportId',
  'filtro',
  'papeisRls',
  'enviaIdentidade',
  'relatorio.usuarioIdentidade',
  'datasetsAdicionais',
  'parametros',
  'painelParametros',
  'filtrosPainel',
  'sensivel',
  'nomeGrupo',
  'idGrupo',
  'powerbi.nome as nomeConexao',
  ...connectionColumns,
] as const

/** Stands for screens and guests, who have no account and do not start a paused capacity. */
const noUser = { idUsuario: 0, tipo: 'USER' } as const

interface Opening {
  report: Viewable
  identity: EffectiveIdentity | undefined
}

interface Bearer<Found extends Opening> {
  /**
   * Returns the report that the bearer may open now, and the effective identity.
   * @throws Problem when there is none
   */
  find: () => Promise<Found>
  /** Distinguishes readers, who get a fair share of the queries. */
  reader: string
  lifetimeMinutes?: number
  action: Extract<AuditAction, 'kiosk.embed-issued' | 'guest.embed-issued'>
  subjectOf: (found: Found) => string
}

/**
 * Gives a screen of a kiosk or a guest the report that they may open, with an audited embed token. It
 * records no view.
 * @throws Problem as `find`, as `assertRunning` of the capacity gate and as `issue`; `nao_encontrado` for
 * a paginated report
 */
export const embedWithoutUser = async <Found extends Opening>(
  services: ConnectionServices,
  request: FastifyRequest,
  { find, reader, lifetimeMinutes, action, subjectOf }: Bearer<Found>,
) => {
  const { db, writeAudit } = services
  const found = await find()
  const { report, identity } = found
  const issued = await issue(services, found, { reader, lifetimeMinutes })
  // The bearer, the report and its rights may have changed while the provider answered.
  if (!isDeepStrictEqual(await find(), found)) throw new Problem('servico_indisponivel', { retryAfter: 1 })
  const details = {
    idRelatorio: report.idRelatorio,
    tokenId: issued.tokenId,
    expiraEm: issued.expiration,
    identidade: identity ?? null,
  }
  await writeAudit(db, { action, idUsuario: null, subject: subjectOf(found), details, request })
  return { found, embedded: embeddedReportOf(report, issued) }
}

const issue = async (
  services: ConnectionServices,
  { report, identity }: Opening,
  { reader, lifetimeMinutes }: { reader: string; lifetimeMinutes: number | undefined },
) => {
  const { secrets, capacityGate, embedIssuer } = services
  const { idPowerBi, idGrupo: groupId, reportId, datasetsAdicionais } = report
  const opening = { idPowerBi, user: noUser, isUserActivity: false, begin: neverBegins }
  try {
    await capacityGate.assertRunning(opening)
    const connection = registeredConnection(report, services)
    const bearer = { reader: secrets.digest(`leitor:${reader}`), lifetimeMinutes }
    const issued = await embedIssuer.issue(
      { connection, groupId, reportId, datasetsAdicionais },
      identity,
      bearer,
    )
    // The registration may not know yet that the report is paginated.
    if (issued.isPaginated) throw new Problem('nao_encontrado')
    return issued
  } catch (error) {
    throw await capacityGate.explain(error, opening)
  }
}

const neverBegins = () => Promise.reject(new Error('Only a user starts a capacity.'))
