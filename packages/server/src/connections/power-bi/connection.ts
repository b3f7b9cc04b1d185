import type { ProviderAddresses } from '../../platform/config/config.ts'
/** A registered connection. `version` changes with each edit and so invalidates caches. */
export interface Connection {
  id: number
  version: number
  provider: 'local' | 'microsoft'
  tenantId: string
  applicationId: string
  credential: { kind: 'service_principal' } | { kind: 'master_user'; username: string }
  /** The service principal profile on whose behalf Power BI is called. */
  profileId?: string | undefined
  /** Decrypts the secret; called only when a credential is sent. */
  secret: () => string
}

/** Where providers are called, and for how long. */
export interface CallLimits {
  addresses: Record<Connection['provider'], ProviderAddresses>
  /** Milliseconds per call. */
  timeoutMs: number
  /** Limits all calls together, in addition to the limit of each. */
  deadline?: AbortSignal
}
