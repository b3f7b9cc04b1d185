import type { Config } from '../config.ts'
import { Problem } from '../problem.ts'

/** @throws Problem 403 where people only come in through the identity provider: no password is set, asked for or recovered */
export const assertPasswordSignIn = ({ passwordSignIn }: Pick<Config, 'passwordSignIn'>): void => {
  if (!passwordSignIn) throw new Problem('senha_desativada')
}
