import type { Caller } from '../access/caller.ts'
import { Problem } from '../lib/problem.ts'
import type { EffectiveIdentity } from './power-bi-api.ts'

export type Viewer = Pick<Caller, 'emailUsuario' | 'emailComprovado' | 'identidadeRls'>

/**
 * Returns the viewer's effective identity for a report with roles, and undefined for one without,
 * whose embed token may be shared.
 * @throws Problem 403 when the viewer's e-mail is not verified: it could be another person's
 */
export const effectiveIdentityOf = (
  { papeisRls }: { papeisRls: string[] },
  user: Viewer,
): EffectiveIdentity | undefined => {
  if (papeisRls.length === 0) return undefined
  if (!user.emailComprovado) throw new Problem('identidade_nao_confirmada')
  return {
    username: user.emailUsuario,
    roles: papeisRls,
    ...(user.identidadeRls ? { customData: user.identidadeRls } : {}),
  }
}
