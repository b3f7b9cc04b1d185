import type { Services } from '../../platform/http/services.ts'
import type { EmbedIssuer } from '../power-bi/embed-issuer.ts'
import type { PowerBiApi } from '../power-bi/power-bi-api.ts'
import type { RefreshHistories } from '../power-bi/refresh-histories.ts'
import type { CapacityControl } from './capacity-control.ts'
import type { CapacityGate } from './capacity-gate.ts'

/** The services of code that reads reports or their data at a provider. */
export interface ConnectionServices extends Services {
  powerBi: PowerBiApi
  embedIssuer: EmbedIssuer
  refreshHistories: RefreshHistories
  /** Starts, pauses and resizes capacities in Azure. */
  capacityControl: CapacityControl
  /** Asked before a report is opened, whose capacity may be paused. */
  capacityGate: CapacityGate
}
