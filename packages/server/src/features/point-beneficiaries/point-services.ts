import type { PointApi } from '../../bi/publishing/point-api.ts'
import type { ConnectionServices } from '../../connections/services.ts'

/** The services of data points: the call of the local report service that names their rows. */
export interface PointServices extends ConnectionServices {
  points: PointApi
}
