import { z } from 'zod'
import type { Dataset } from '../../engine/data/catalog.ts'
import { invalidRequest } from '../../http/power-bi-error.ts'
import type { Identity } from '../../http/tokens.ts'

/** Microsoft's limits: 256 characters of user name, 50 roles of 50 characters. */
export const EffectiveIdentity = z.object({
  username: z.string().min(1).max(256),
  datasets: z.array(z.string()).max(50).nullish(),
  roles: z.array(z.string().min(1).max(50)).max(50).nullish(),
  customData: z.string().max(1024).nullish(),
  auditableContext: z.string().nullish(),
  identityBlob: z.null().optional(),
  reports: z.array(z.never()).nullish(),
  /** An extension of this service: the token explains which rule leaves out every row. */
  '@biManager.explainsRules': z.boolean().nullish(),
})
type EffectiveIdentity = z.infer<typeof EffectiveIdentity>

/**
 * Validates a token's identities for its datasets. No dataset may have two; one that requires an
 * identity must have one: otherwise the token would open every row.
 */
export const checkIdentities = (identities: EffectiveIdentity[], datasets: Dataset[]): Identity[] => {
  const checked = identities.map((identity) => checkIdentity(identity, datasets))
  for (const dataset of datasets) {
    const covering = checked.filter((identity) => identity.datasets.includes(dataset.id))
    if (covering.length > 1)
      throw invalidRequest(`Dataset ${dataset.id} has more than one effective identity`)
    if (covering.length === 0 && dataset.definition.requiresIdentity) {
      throw invalidRequest(
        `Creating embed token for accessing dataset ${dataset.id} requires effective identity to be provided`,
      )
    }
  }
  return checked
}

const checkIdentity = (identity: EffectiveIdentity, datasets: Dataset[]): Identity => {
  const ids = [...new Set((identity.datasets ?? []).map((id) => id.toLowerCase()))]
  const roles = [...new Set(identity.roles ?? [])]
  if (ids.length === 0) throw invalidRequest('An effective identity must name at least one dataset')
  for (const id of ids) {
    const dataset = datasets.find((known) => known.id === id)
    if (!dataset)
      throw invalidRequest(`The effective identity names dataset ${id}, which the token does not open`)
    checkRoles(dataset, roles)
  }
  const { username, customData = null, '@biManager.explainsRules': explainsRules } = identity
  return { datasets: ids, username, roles, customData, ...(explainsRules && { explainsRules }) }
}

const checkRoles = (dataset: Dataset, roles: string[]) => {
  const about = `Creating embed token for accessing dataset ${dataset.id}`
  if (dataset.roles.length === 0) throw invalidRequest(`${about} shouldn't have effective identity`)
  if (roles.length === 0) {
    throw invalidRequest(`${about} requires roles to be included in provided effective identity`)
  }
  const unknown = roles.find((role) => !dataset.roles.some(({ name }) => name === role))
  if (unknown !== undefined) throw invalidRequest(`${about}: the dataset has no role '${unknown}'`)
}
