/** A registered connection. `version` changes with each edit and so invalidates caches. */
export interface Connection {
  id: number
  version: number
  provider: 'local' | 'microsoft'
  tenantId: string
  applicationId: string
  credential: { kind: 'service_principal' } | { kind: 'master_user'; username: string }
  /** Opens the sealed secret; called only when a credential is sent. */
  secret: () => string
}
