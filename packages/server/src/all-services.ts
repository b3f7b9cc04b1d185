import type { PointServices } from './clinical/index.ts'
import type { PublishingServices } from './publishing/index.ts'

/** Every service of the portal, created once at start-up. */
export type AllServices = PublishingServices & PointServices
