import type { SessionProof } from '@bi-manager/contract'
import type { Caller } from '../access/caller.ts'
import type { Services } from '../http/services.ts'
import { Problem } from '../lib/problem.ts'
import { withAttempt } from './attempt-limits.ts'
import { isPassword, passwordHashOf } from './passwords.ts'

const recentMs = 10 * 60_000

const isRecent = (when: Date, now: Date): boolean => now.getTime() - when.getTime() <= recentMs

/** Returns whether the session began, by whatever means, within the last ten minutes. */
export const isRecentSignIn = ({ sessaoCriadaEm }: Caller, now: Date): boolean =>
  isRecent(sessaoCriadaEm, now)

/** Returns whether the user confirmed their identity in this session in the last ten minutes. */
const isConfirmed = ({ sessaoConfirmadaEm }: Caller, now: Date): boolean =>
  sessaoConfirmadaEm !== null && isRecent(sessaoConfirmadaEm, now)

/** Returns the means by which the user can confirm their identity. */
export const proofsOf = (
  { temSenha, temSegundoFator }: Caller,
  { passwordSignIn }: Pick<Services['config'], 'passwordSignIn'>,
): SessionProof[] => [
  ...(temSenha && passwordSignIn ? (['senha'] as const) : []),
  ...(temSegundoFator ? (['codigo'] as const) : []),
]

/**
 * Requires a password or second-factor code entered within ten minutes, or a sign-in within ten
 * minutes of a user who has neither. For changes that grant power to a user, and for the data of
 * another person: a stolen open session must not be enough. An API key was made with such a proof,
 * for the calls that it reaches.
 * @throws Problem 403 `reautenticacao_necessaria`
 */
export const assertRecentProof = ({ config, now }: Pick<Services, 'config' | 'now'>, user: Caller): void => {
  if (user.chave) return
  const proofs = proofsOf(user, config)
  // An identity provider may sign a person in without asking for anything.
  const isSignInProof = user.metodo === 'senha' || proofs.length === 0
  if (isConfirmed(user, now()) || (isSignInProof && isRecentSignIn(user, now()))) return
  throw new Problem('reautenticacao_necessaria', {
    detail:
      proofs.length > 0
        ? 'Confirme que é você para continuar. Informe a sua senha ou um código do segundo fator.'
        : 'Faz mais de 10 minutos que você entrou. Saia, entre novamente e tente de novo.',
  })
}

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
