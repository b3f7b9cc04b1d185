import { EntraError } from './entra-error.ts'
import type { ServiceFile } from './service-file.ts'
import { printable } from './token-form.ts'

/** Entra's name for any tenant; there is only one tenant here. */
export const ANY_TENANT = 'organizations'
/** Any tenant, and personal accounts. */
export const COMMON = 'common'

/** Returns whether the text names this tenant: its id, `organizations`, or a domain of its users. */
const isTenant = ({ tenantId, tenantDomains = [], users }: ServiceFile, tenant: string): boolean => {
  const domains = [...tenantDomains, ...users.flatMap(({ username }) => username.split('@').slice(1))]
  const names = [tenantId, ANY_TENANT, ...domains]
  return names.some((name) => name.toLowerCase() === tenant.toLowerCase())
}

export const isCommon = (tenant: string) => tenant.toLowerCase() === COMMON

/** @throws EntraError when the text names neither this tenant nor any */
export const checkTenant = (
  credentials: ServiceFile,
  tenant: string,
  kind: Parameters<typeof unknownTenant>[1],
) => {
  if (!isTenant(credentials, tenant) && !isCommon(tenant)) throw unknownTenant(tenant, kind)
}

export const unknownTenant = (tenant: string, kind: 'invalid_request' | 'invalid_tenant') =>
  new EntraError(kind, 90002, `Tenant '${printable(tenant)}' not found.`)
