import {
  type ConnectionServices,
  connectionColumns,
  type EffectiveIdentity,
  registeredConnection,
} from '../../connections/index.ts'
import { Problem } from '../../platform/lib/problem.ts'
import type { Viewable } from './embedded-report.ts'

/** The columns that `issueWithoutUser` needs, for a query of `relatorio`, `grupoRelatorio` and `powerbi`. */
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
  /** Distinguishes readers, who get a fair share of the queries. */
  reader: string
  lifetimeMinutes?: number
}

/**
 * Issues an embed token to a screen of a kiosk or to a guest.
 * @throws Problem as `assertRunning` of the capacity gate and `issue`; `nao_encontrado` for a
 * paginated report
 */
export const issueWithoutUser = async (
  services: ConnectionServices,
  { report, identity, reader, lifetimeMinutes }: Opening,
) => {
  const { secrets, capacityGate, embedIssuer } = services
  const { idPowerBi, idGrupo: groupId, reportId, datasetsAdicionais } = report
  const opening = { idPowerBi, user: noUser, isUserActivity: false, begin: neverBegins }
  const issue = async () => {
    await capacityGate.assertRunning(opening)
    const connection = registeredConnection(report, services)
    const bearer = { reader: secrets.digest(`leitor:${reader}`), lifetimeMinutes }
    return embedIssuer.issue({ connection, groupId, reportId, datasetsAdicionais }, identity, bearer)
  }
  const issued = await issue().catch(async (error: unknown) => {
    throw await capacityGate.explain(error, opening)
  })
  // The registration may not know yet that the report is paginated.
  if (issued.isPaginated) throw new Problem('nao_encontrado')
  return issued
}

const neverBegins = () => Promise.reject(new Error('Only a user starts a capacity.'))
