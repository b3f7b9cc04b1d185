import type { Caller } from '../http/caller.ts'
import type { Services } from '../http/services.ts'
import { Problem } from '../problem.ts'
import { bookAttempt, forgetAttempt } from './attempt-limits.ts'
import { isPassword } from './passwords.ts'

const recentMs = 10 * 60_000

export const isRecentSignIn = ({ sessaoCriadaEm }: Caller, now: Date): boolean =>
  now.getTime() - sessaoCriadaEm.getTime() <= recentMs

/**
 * An open session must not be enough to take an account over: before what decides who gets in is changed, the password must
 * have been typed within ten minutes, at sign-in or now.
 * @throws Problem 403 `reautenticacao_necessaria`; 422 at `senhaAtual`, counted; 429
 */
export const assertRecentPassword = async (
  { db, config, secrets, now }: Pick<Services, 'db' | 'config' | 'secrets' | 'now'>,
  user: Caller,
  senhaAtual: string | null | undefined,
): Promise<void> => {
  const { idUsuario } = user
  if (user.metodo === 'senha' && isRecentSignIn(user, now())) return
  if (!senhaAtual) throw new Problem('reautenticacao_necessaria')
  const allowance = {
    key: secrets.digest(`senha-atual:${idUsuario}`),
    limit: config.signInFailures.perName,
  }
  const booking = await bookAttempt(db, [allowance], now())
  const account = await db
    .selectFrom('usuario')
    .select('senhaHash')
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()
  if (!(await isPassword(account?.senhaHash, senhaAtual))) {
    throw new Problem('campos_invalidos', { campos: { senhaAtual: 'A senha atual não confere.' } })
  }
  await forgetAttempt(db, booking)
}
