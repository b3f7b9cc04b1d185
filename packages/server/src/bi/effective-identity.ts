import type { Caller } from '../http/caller.ts'
import type { EffectiveIdentity } from './power-bi-api.ts'

/** With roles, what the provider gives out carries who is looking; without, it is the same for everybody and may be shared. */
export const identityOf = (
  { papeisRls }: { papeisRls: string[] },
  user: Pick<Caller, 'emailUsuario' | 'identidadeRls'>,
): EffectiveIdentity | undefined =>
  papeisRls.length === 0
    ? undefined
    : {
        username: user.emailUsuario,
        roles: papeisRls,
        ...(user.identidadeRls ? { customData: user.identidadeRls } : {}),
      }
