import type { PointServices } from './clinical/point-beneficiaries/point-services.ts'
import type { PublishingServices } from './publishing/services.ts'

/** Every service of the portal, created once at start-up. */
export type AllServices = PublishingServices & PointServices
