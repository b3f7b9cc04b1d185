export { createDraftApi } from './draft-api.ts'
export { createPublishedApi } from './published-api.ts'
export type { PublishingServices } from './services.ts'
