import type { ConnectionServices } from '../../connections/index.ts'
import type { PointApi } from './point-api.ts'

/** The services of data points: the call of the local report service that names their rows. */
export interface PointServices extends ConnectionServices {
  points: PointApi
}
