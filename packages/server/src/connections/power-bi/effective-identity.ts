import type { Selectable } from 'kysely'
import type { Tables } from '../../platform/db/types.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { Problem } from '../../platform/lib/problem.ts'

/** A dataset at the provider, and what its tokens must carry. */
export interface ReadDataset {
  id: string
  requiresIdentity: boolean
  requiresRoles: boolean
}

/** The identity that the provider applies row-level security to. */
export interface EffectiveIdentity {
  username: string
  /** Left out where the dataset requires an identity only: Analysis Services. */
  roles?: string[]
  customData?: string
}

/** An identity with the datasets that it is for, or the paginated reports that read its user. */
export type DatasetIdentity = EffectiveIdentity & { datasets?: string[]; reports?: string[] }

export type Viewer = Pick<Caller, 'emailUsuario' | 'emailComprovado' | 'identidadeRls'>

/** What a report says about the identity of its viewers. */
export type IdentityRules = Pick<Selectable<Tables['relatorio']>, (typeof identityColumns)[number]>

/** The columns that `effectiveIdentityOf` needs. */
export const identityColumns = ['papeisRls', 'enviaIdentidade', 'usuarioIdentidade'] as const

/** Whether a report sends an identity, so that its rows may differ by viewer. */
export const sendsIdentity = ({
  papeisRls,
  enviaIdentidade,
}: Pick<IdentityRules, 'papeisRls' | 'enviaIdentidade'>): boolean => papeisRls.length > 0 || enviaIdentidade

/**
 * Returns the viewer's effective identity for a report that sends one, and undefined for another,
 * whose embed token may be shared.
 * @throws Problem 403 when the viewer's e-mail is not verified: it could be another person's
 */
export const effectiveIdentityOf = (report: IdentityRules, user: Viewer): EffectiveIdentity | undefined => {
  if (!sendsIdentity(report)) return undefined
  const { papeisRls, usuarioIdentidade } = report
  if (!user.emailComprovado) throw new Problem('identidade_nao_confirmada')
  return {
    username: usuarioIdentidade ?? user.emailUsuario,
    ...(papeisRls.length > 0 ? { roles: papeisRls } : {}),
    ...(user.identidadeRls ? { customData: user.identidadeRls } : {}),
  }
}

/**
 * Returns the identity as a token or an export carries it: for the report's own dataset, which
 * comes first, and for each further one that requires an identity. A dataset refuses roles that it
 * does not have, so a further one that requires none gets the identity without them.
 *
 * A paginated report has no dataset. It reads the user as its field `UserID`, which is the service
 * principal unless an identity names the report (learn.microsoft.com/power-bi/developer/
 * embedded/paginated-reports-row-level-security).
 * @param paginated the paginated report that the datasets are for
 * @throws Problem `bi_identidade_necessaria` when a dataset requires an identity or roles, and none
 * is given: a master user without one would see every row
 */
export const identitiesFor = (
  datasets: ReadDataset[],
  identity: EffectiveIdentity | undefined,
  paginated?: string,
): DatasetIdentity[] => {
  const isLacking = ({ requiresIdentity, requiresRoles }: ReadDataset) =>
    (requiresIdentity && !identity) || (requiresRoles && !identity?.roles)
  if (datasets.some(isLacking)) throw new Problem('bi_identidade_necessaria')
  if (!identity) return []
  const { roles, ...withoutRoles } = identity
  const isOwn = (index: number) => index === 0 && paginated === undefined
  const needing = datasets.filter(({ requiresIdentity }, index) => requiresIdentity || isOwn(index))
  const isPlain = ({ requiresRoles }: ReadDataset, index: number) => !requiresRoles && !isOwn(index)
  const plain = roles ? needing.filter(isPlain) : []
  const full = needing.filter((dataset) => !plain.includes(dataset))
  const idsOf = (some: ReadDataset[]) => some.map(({ id }) => id)
  return [
    ...(paginated === undefined ? [] : [{ username: identity.username, reports: [paginated] }]),
    ...(full.length > 0 ? [{ ...identity, datasets: idsOf(full) }] : []),
    ...(plain.length > 0 ? [{ ...withoutRoles, datasets: idsOf(plain) }] : []),
  ]
}
