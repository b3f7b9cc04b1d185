import { accountsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { forgetAttempt } from '../../auth/attempt-limits.ts'
import { deleteFirstPassword } from '../../auth/first-password.ts'
import { assertPassword, samePasswordProblem } from '../../auth/password-rules.ts'
import { assertPasswordSignIn } from '../../auth/password-sign-in.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { passwordHashOf, replacePassword } from '../../auth/replace-password.ts'
import { requireSecondFactor } from '../../auth/second-factor.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import type { PasswordAttempts } from './password-attempts.ts'

/** Serves the change of a password by a user who is not signed in and knows the current one. */
export const serveChangeWithCurrent = (
  app: FastifyInstance,
  services: Services,
  attempts: PasswordAttempts,
): void => {
  const { db, config, recordAudit } = services
  const { companyName } = config

  serve(
    app,
    accountsApi.changeWithCurrent,
    async ({ body: { loginUsuario, senhaAtual, novaSenha } }, { request }) => {
      const refuse = (id: number | undefined, motivo: string) =>
        recordAudit(db, {
          action: 'password.change-refused',
          idUsuario: id ?? null,
          details: { motivo },
          request,
        })
      const { account, booking } = await attempts.identify({
        username: loginUsuario,
        password: senhaAtual,
        request,
        refuse,
      })
      const { idUsuario, senhaHash: before } = account
      // The password was right: refusals from here on are not guesses.
      await forgetAttempt(db, booking)
      assertPassword(novaSenha, { owner: account, companyName, field: 'novaSenha' })
      if (novaSenha === senhaAtual) throw samePasswordProblem('novaSenha')
      const senhaHash = await hashPassword(novaSenha)
      await inTransaction(db, async (tx) => {
        // This call takes no code: a user with a second factor must change the password when signed
        // in.
        await requireSecondFactor(tx, services, { idUsuario, code: undefined, request })
        // The password may have changed in the meantime.
        if ((await passwordHashOf(tx, idUsuario)) !== before) throw new Problem('credenciais_invalidas')
        const replacement = { idUsuario, senhaHash, kept: undefined, meio: 'senha_atual', request } as const
        if (!(await replacePassword(tx, services, replacement))) throw new Problem('credenciais_invalidas')
      }).catch(async (error: unknown) => {
        if (error instanceof Problem) await refuse(idUsuario, reasonOf(error))
        throw error
      })
      deleteFirstPassword(config, idUsuario)
    },
    { authorize: async () => assertPasswordSignIn(config) },
  )
}

const reasonOf = ({ codigo }: Problem): string =>
  codigo === 'segundo_fator_necessario' ? 'segundo fator' : codigo
