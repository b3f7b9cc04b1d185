import { ApiProblem } from '@bi-manager/contract'
import { messageOf } from '../../lib/api.ts'

/**
 * Returns an error's sentence. A field error of the list has no field on the screen, so it wins.
 */
export const faultOf = (error: unknown): string => {
  const [field] = error instanceof ApiProblem ? Object.values(error.campos) : []
  return field ?? messageOf(error)
}
