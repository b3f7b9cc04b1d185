import { ApiProblem } from '@bi-manager/contract'
import { messageOf } from '../../lib/api/api.ts'

/** Returns an error's sentence, preferably that of the list, which has no field to show it. */
export const faultOf = (error: unknown): string => {
  const [field] = error instanceof ApiProblem ? Object.values(error.campos) : []
  return field ?? messageOf(error)
}
