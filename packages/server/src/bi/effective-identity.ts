import type { Caller } from '../http/caller.ts'
import { Problem } from '../problem.ts'
import type { EffectiveIdentity } from './power-bi-api.ts'

export type Viewer = Pick<Caller, 'emailUsuario' | 'emailComprovado' | 'identidadeRls'>

/**
 * With roles, what the provider gives out carries who is looking; without, it is the same for everybody and may be shared.
 * @throws Problem 403 where the e-mail would name its owner, and nothing proves that the viewer is that person
 */
export const identityOf = (
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
