export { beginRefresh } from './capacities/begin-refresh.ts'
export { createCapacityApi } from './capacities/capacity-api.ts'
export { type Begin, createCapacityControl } from './capacities/capacity-control.ts'
export { createCapacityGate } from './capacities/capacity-gate.ts'
export type { ConnectionServices } from './capacities/connection-services.ts'
export { notifyConnectionFailing } from './connections/notify-connection-failing.ts'
export type { CallLimits, Connection } from './power-bi/connection.ts'
export { createConnectionCalls, type Sent } from './power-bi/connection-calls.ts'
export { type DatasetRefresh, dataTimeOf } from './power-bi/dataset-refresh.ts'
export {
  type DatasetIdentity,
  type EffectiveIdentity,
  effectiveIdentityOf,
  type IdentityRules,
  identityColumns,
  sendsIdentity,
} from './power-bi/effective-identity.ts'
export { createEmbedIssuer, type EmbedIssuer } from './power-bi/embed-issuer.ts'
export { createEntraTokens, type EntraTokens } from './power-bi/entra-tokens.ts'
export type { ExportContent } from './power-bi/export-calls.ts'
export { createPowerBiApi, type DatasetAddress } from './power-bi/power-bi-api.ts'
export { withAdminAdvice } from './power-bi/provider-advice.ts'
export {
  callProvider,
  isUnanswered,
  mayHaveRun,
  type ProviderFile,
  ProviderRefusal,
  ProviderUnreachable,
  problemOfRefusal,
  streamFromProvider,
} from './power-bi/provider-call.ts'
export { refreshCause } from './power-bi/refresh-cause.ts'
export { createRefreshHistories, type DatasetPlace } from './power-bi/refresh-histories.ts'
export { lastRefreshDue, type ReadSchedule } from './power-bi/refresh-schedule.ts'
export { connectionColumns, registeredConnection } from './power-bi/registered-connection.ts'
export { findRegisteredReport } from './power-bi/registered-report.ts'
export { panelOf } from './power-bi/report-panel.ts'
