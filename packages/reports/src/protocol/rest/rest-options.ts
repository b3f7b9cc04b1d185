import type { Previews } from '../../authoring/drafts/draft-previews.ts'
import type { Catalog } from '../../engine/data/catalog.ts'
import type { QueryScheduler } from '../../engine/queries/query-scheduler.ts'
import type { Exports } from '../../exports/exports.ts'
import type { CountPublicCall } from '../../http/public-calls.ts'
import type { EntraClaims, Tokens } from '../../http/tokens.ts'
import type { RefreshHistory } from './refresh-history.ts'

/** What the routes of the REST API need. */
export type RestOptions = {
  catalog: () => Catalog
  /** Runs the work on the current catalog, which stays open until the work has ended. */
  readCatalog: <T>(work: (catalog: Catalog) => Promise<T>) => Promise<T>
  refresh: () => Promise<Catalog>
  refreshHistory: RefreshHistory
  now: () => number
  tokens: Tokens
  reportsUrl: string
  tenantId: string
  clientIds: string[]
  exports: Exports
  scheduler: QueryScheduler
  dataDir: string
  /** For a process that reads or checks a draft. */
  draftMegabytes: number
  previews: Previews
  countPublicCall: CountPublicCall
  /** Returns the claims of the request's Entra token. */
  entraClaimsOf: (request: object) => EntraClaims
}

export type InGroup = { Params: { groupId: string } }

/** A call without a group considers all workspaces: there is no personal one. */
export const PLACES = ['', '/groups/:groupId'] as const
type Place = { groupId?: string }
export type InPlace = { Params: Place }
export type InReport = { Params: Place & { reportId: string } }
export type InDataset = { Params: Place & { datasetId: string } }
