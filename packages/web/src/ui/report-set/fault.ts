import { ApiProblem } from '@bi-manager/contract'
import { messageOf } from '../../lib/api.ts'

/** A fault in a sentence, with what the server says of the list itself: it has no field on the screen to say it at. */
export const faultOf = (error: unknown): string => {
  const [field] = error instanceof ApiProblem ? Object.values(error.campos) : []
  return field ?? messageOf(error)
}
