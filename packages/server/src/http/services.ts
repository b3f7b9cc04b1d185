import type { RecordAudit } from '../audit/record-audit.ts'
import type { EmbedIssuer } from '../bi/embed-issuer.ts'
import type { PowerBiApi } from '../bi/power-bi-api.ts'
import type { DraftApi } from '../bi/publishing/draft-api.ts'
import type { PointApi } from '../bi/publishing/point-api.ts'
import type { PublishedApi } from '../bi/publishing/published-api.ts'
import type { RefreshHistories } from '../bi/refresh-histories.ts'
import type { Brand } from '../brand/brand.ts'
import type { CapacityControl } from '../capacity/capacity-control.ts'
import type { CapacityGate } from '../capacity/capacity-gate.ts'
import type { Config } from '../config/config.ts'
import type { Secrets } from '../config/secrets.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import type { FileStore } from '../files/file-store.ts'

/** The services that all features share, created once at start-up. */
export interface Services {
  config: Config
  db: OpenDatabase
  secrets: Secrets
  recordAudit: RecordAudit
  powerBi: PowerBiApi
  /** Calls of the local report service only: files to publish, published reports, data points. */
  drafts: DraftApi
  published: PublishedApi
  points: PointApi
  embedIssuer: EmbedIssuer
  refreshHistories: RefreshHistories
  /** Starts, pauses and resizes capacities in Azure. */
  capacityControl: CapacityControl
  /** Asked before a report is opened, whose capacity may be paused. */
  capacityGate: CapacityGate
  /** The store of attachment files. */
  files: FileStore
  /** Returns name, colour and logo of the installation; the last known when the database fails. */
  readBrand: () => Promise<Brand>
  /** The clock; tests replace it. */
  now: () => Date
}
