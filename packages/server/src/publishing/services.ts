import type { ConnectionServices } from '../connections/index.ts'
import type { DraftApi } from './draft-api.ts'
import type { PublishedApi } from './published-api.ts'

/** The services of publishing: the calls of the local report service about files and reports. */
export interface PublishingServices extends ConnectionServices {
  drafts: DraftApi
  published: PublishedApi
}
