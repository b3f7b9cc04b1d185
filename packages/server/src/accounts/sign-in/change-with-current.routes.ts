import { accountsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { readCompanyName } from '../../platform/brand/brand.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { deleteFirstPassword } from '../credentials/first-password.ts'
import { assertPassword, samePasswordProblem } from '../credentials/password-rules.ts'
import { assertPasswordSignIn } from '../credentials/password-sign-in.ts'
import { hashPassword } from '../credentials/passwords.ts'
import { replacePassword } from '../credentials/replace-password.ts'
import { requireSecondFactor } from '../credentials/second-factor.ts'
import { lockActiveAccount } from '../sessions/sessions.repository.ts'
import type { PasswordAttempts } from './password-attempts.ts'

/** Serves the change of a password by a user who is not signed in and knows the current one. */
export const serveChangeWithCurrent = (
  app: FastifyInstance,
  services: Services,
  withPassword: PasswordAttempts,
): void => {
  const { db, config, writeAudit } = services

  serve(
    app,
    accountsApi.changeWithCurrent,
    async ({ body: { loginUsuario, senhaAtual, novaSenha } }, { request }) => {
      const refuse = (id: number | undefined, motivo: string) =>
        writeAudit(db, {
          action: 'password.change-refused',
          idUsuario: id ?? null,
          details: { motivo },
          request,
        })
      const asked = { username: loginUsuario, password: senhaAtual, request, refuse, isFailure: () => true }
      const account = await withPassword(asked, async (found, attempt) => {
        // The password was right: refusals from here on are not guesses.
        await attempt.forget(db)
        return found
      })
      const { idUsuario } = account
      assertPassword(novaSenha, {
        owner: account,
        companyName: await readCompanyName(services),
        field: 'novaSenha',
      })
      if (novaSenha === senhaAtual) throw samePasswordProblem('novaSenha')
      const senhaHash = await hashPassword(novaSenha)
      await inTransaction(db, async (tx) => {
        const locked = await lockActiveAccount(tx, idUsuario, account.senhaHash)
        if (!locked) throw new Problem('credenciais_invalidas')
        // This call takes no code: a user with a second factor must change the password when signed
        // in.
        await requireSecondFactor(tx, services, { ...locked, code: undefined, request })
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
