import type { ReauthenticationMethod } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Problem } from '../../lib/problem.ts'
import type { Caller } from '../callers/caller.ts'
import type { Services } from '../services.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** @see assertRecentReauthentication */
    assertReauthenticated: (user: Caller) => void
  }
}

const recentMs = 10 * 60_000

const isRecent = (when: Date, now: Date): boolean => now.getTime() - when.getTime() <= recentMs

/** Returns whether the session began, by whatever means, within the last ten minutes. */
export const isRecentSignIn = ({ sessaoCriadaEm }: Caller, now: Date): boolean =>
  isRecent(sessaoCriadaEm, now)

/** Returns whether the user confirmed their identity in this session in the last ten minutes. */
export const isConfirmed = ({ sessaoConfirmadaEm }: Caller, now: Date): boolean =>
  sessaoConfirmadaEm !== null && isRecent(sessaoConfirmadaEm, now)

/** Returns the means by which the user can confirm their identity. */
export const reauthenticationMethodsOf = (
  { temSenha, temSegundoFator }: Caller,
  { passwordSignIn }: Pick<Services['config'], 'passwordSignIn'>,
): ReauthenticationMethod[] => [
  ...(temSenha && passwordSignIn ? (['senha'] as const) : []),
  ...(temSegundoFator ? (['codigo'] as const) : []),
]

/**
 * Requires a password or second-factor code entered within ten minutes, or a sign-in within ten
 * minutes of a user who has neither. A call with an API key passes: who made the key was asked then.
 * @throws Problem 403 `reautenticacao_necessaria`
 */
const assertRecentReauthentication = (
  { config, now }: Pick<Services, 'config' | 'now'>,
  user: Caller,
): void => {
  if (user.chave) return
  const methods = reauthenticationMethodsOf(user, config)
  // An identity provider may sign a person in without asking for anything.
  const isSignInEnough = user.metodo === 'senha' || methods.length === 0
  if (isConfirmed(user, now()) || (isSignInEnough && isRecentSignIn(user, now()))) return
  throw new Problem('reautenticacao_necessaria', {
    detail:
      methods.length > 0
        ? 'Confirme que é você para continuar. Informe a sua senha ou um código do segundo fator.'
        : 'Faz mais de 10 minutos que você entrou. Saia, entre novamente e tente de novo.',
  })
}

/**
 * Adds `assertReauthenticated`. `serve` calls it for calls that declare `reauthentication: 'always'`, and
 * passes it to the handlers of those that declare a condition. Handlers of `'password'` calls check the
 * password in their body.
 */
export const reauthentication = fp(
  async (app: FastifyInstance, services: Pick<Services, 'config' | 'now'>) => {
    app.decorate('assertReauthenticated', (user: Caller) => assertRecentReauthentication(services, user))
  },
)
