import type { DraftApi } from '../../bi/publishing/draft-api.ts'
import type { PublishedApi } from '../../bi/publishing/published-api.ts'
import type { ConnectionServices } from '../../connections/services.ts'

/** The services of publishing: the calls of the local report service about files and reports. */
export interface PublishingServices extends ConnectionServices {
  drafts: DraftApi
  published: PublishedApi
}
