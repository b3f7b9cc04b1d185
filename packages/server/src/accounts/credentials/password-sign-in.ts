import type { Config } from '../../platform/config/config.ts'
import { Problem } from '../../platform/lib/problem.ts'

/**
 * @throws Problem 403 when password sign-in is off: no password is then set, accepted or recovered
 */
export const assertPasswordSignIn = ({ passwordSignIn }: Pick<Config, 'passwordSignIn'>): void => {
  if (!passwordSignIn) throw new Problem('senha_desativada')
}
