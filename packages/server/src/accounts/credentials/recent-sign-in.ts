import type { Caller } from '../../platform/http/callers/caller.ts'
import { isConfirmed, isRecentSignIn } from '../../platform/http/guard/reauthentication.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { withAttempt } from './attempt-limits.ts'
import { isPassword, passwordHashOf } from './passwords.ts'

type PasswordCheckServices = Pick<Services, 'db' | 'config' | 'secrets' | 'now'>

/**
 * Verifies the caller's own password.
 * @throws Problem 422 at `field` when it is wrong, which counts as a failed attempt; 429 after too
 * many
 */
export const assertOwnPassword = async (
  { db, config, secrets, now }: PasswordCheckServices,
  { idUsuario }: Caller,
  typed: string,
  { field, wrong }: { field: string; wrong: string },
): Promise<void> => {
  const allowances = [
    { key: secrets.digest(`senha-atual:${idUsuario}`), limit: config.signInFailures.perName },
  ]
  await withAttempt({ db, now }, { allowances }, async (attempt) => {
    if (!(await isPassword(await passwordHashOf(db, idUsuario), typed))) {
      throw new Problem('campos_invalidos', { campos: { [field]: wrong } })
    }
    // An attempt counts as a failure until it is forgotten.
    await attempt.forget(db)
  })
}

/**
 * Requires the password within ten minutes: at the sign-in, in a confirmation or in this call. For
 * changes of the caller's own credentials: an open session must not be enough to take the account
 * over.
 * @throws Problem 403 `reautenticacao_necessaria` when the call has no password; with a wrong one
 * as `assertOwnPassword`, at `senhaAtual`
 */
export const assertRecentPassword = async (
  services: PasswordCheckServices,
  user: Caller,
  senhaAtual: string | null | undefined,
): Promise<void> => {
  const now = services.now()
  if (user.metodo === 'senha' && isRecentSignIn(user, now)) return
  if (user.sessaoConfirmadaCom === 'senha' && isConfirmed(user, now)) return
  if (!senhaAtual) throw new Problem('reautenticacao_necessaria')
  const refusal = { field: 'senhaAtual', wrong: 'A senha atual não confere.' }
  await assertOwnPassword(services, user, senhaAtual, refusal)
}
