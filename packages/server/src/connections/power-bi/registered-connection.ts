import type { Selectable } from 'kysely'
import type { Config } from '../../platform/config/config.ts'
import type { Encrypted, Secrets } from '../../platform/config/secrets.ts'
import type { Tables } from '../../platform/db/types.ts'
import { Problem } from '../../platform/lib/problem.ts'
import type { Connection } from './connection.ts'

/** The columns that `registeredConnection` needs. */
export const connectionColumns = [
  'powerbi.idPowerBi',
  'powerbi.versao',
  'provedor',
  'tenantId',
  'applicationId',
  'tipoCredencial',
  'perfilPrincipal',
  'username',
  'segredo',
] as const

type Row = Pick<
  Selectable<Tables['powerbi']>,
  'idPowerBi' | 'versao' | Exclude<(typeof connectionColumns)[number], `powerbi.${string}`>
>

/** Returns a registered connection for provider calls; missing fields come from the settings. */
export const registeredConnection = (
  row: Row,
  { config, secrets }: { config: Pick<Config, 'bi'>; secrets: Secrets },
): Connection => {
  // POWERBI_TENANT_ID and POWERBI_CLIENT_ID are Microsoft's; the local service knows neither.
  const { tenantId, clientId } = row.provedor === 'microsoft' ? config.bi : {}
  const isPrincipal = row.tipoCredencial === 'service_principal'
  return {
    id: row.idPowerBi,
    version: row.versao,
    provider: row.provedor,
    tenantId: row.tenantId ?? tenantId ?? 'organizations',
    // A service principal's user name is its application id; a master user's is a person's.
    applicationId: row.applicationId ?? clientId ?? (isPrincipal ? row.username : ''),
    profileId: isPrincipal ? (row.perfilPrincipal ?? undefined) : undefined,
    credential: isPrincipal ? { kind: 'service_principal' } : { kind: 'master_user', username: row.username },
    secret: () => decryptedSecret(row.segredo, secrets),
  }
}

/** A secret whose key is lost counts as refused: an administrator must type it again. */
const decryptedSecret = (encrypted: Encrypted, secrets: Secrets): string => {
  try {
    return secrets.decrypt(encrypted)
  } catch (cause) {
    throw new Problem('bi_credencial_recusada', { cause })
  }
}
