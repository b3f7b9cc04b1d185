import { accountsApi } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { forgetAttempt } from '../../auth/attempt-limits.ts'
import { deleteFirstPassword } from '../../auth/first-password.ts'
import { assertPassword, samePasswordProblem } from '../../auth/password-rules.ts'
import { assertPasswordSignIn } from '../../auth/password-sign-in.ts'
import { hashPassword, isPassword } from '../../auth/passwords.ts'
import { assertRecentPassword, isRecentSignIn } from '../../auth/recent-sign-in.ts'
import { replacePassword } from '../../auth/replace-password.ts'
import { requireSecondFactor } from '../../auth/second-factor.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import type { PasswordAttempts } from './password-attempts.ts'
import { passwordHashOf } from './sessions.repository.ts'

export const servePasswordChanges = (
  app: FastifyInstance,
  services: Services,
  attempts: PasswordAttempts,
): void => {
  const { db, config, now, recordAudit } = services
  const { companyName } = config

  const recordRefusal = (request: FastifyRequest, idUsuario: number | undefined, motivo: string) =>
    recordAudit(db, {
      action: 'password.change-refused',
      idUsuario: idUsuario ?? null,
      details: { motivo },
      request,
    })

  /** @throws Problem 403 `reautenticacao_necessaria`; 422 at `senhaAtual` */
  const assertMayChange = async (user: Caller, senhaAtual: string | null | undefined): Promise<void> => {
    if (user.temSenha) return assertRecentPassword(services, user, senhaAtual)
    if (isRecentSignIn(user, now())) return
    throw new Problem('reautenticacao_necessaria', {
      detail: 'Faz mais de 10 minutos que você entrou. Saia, entre novamente e defina a senha.',
    })
  }

  serve(
    app,
    accountsApi.changePassword,
    async ({ body: { id, senha, senhaAtual } }, { user, request, write }) => {
      const { idUsuario, idSessao } = user
      if (id != null && String(id) !== String(idUsuario)) throw new Problem('identidade_divergente')
      await assertMayChange(user, senhaAtual).catch(async (error: unknown) => {
        await recordRefusal(request, idUsuario, reasonOf(error))
        throw error
      })
      assertPassword(senha, { owner: user, companyName, field: 'senha' })
      if (await isPassword(await passwordHashOf(db, idUsuario), senha)) throw samePasswordProblem('senha')
      const senhaHash = await hashPassword(senha)
      await write.exclusive(async (tx) => {
        const replacement = { idUsuario, senhaHash, kept: idSessao, meio: 'sessao', request } as const
        if (!(await replacePassword(tx, services, replacement))) throw new Problem('sessao_encerrada')
      })
      deleteFirstPassword(config, idUsuario)
    },
    {
      authorize: async ({ idUsuario }, user) => {
        assertPasswordSignIn(config)
        if (idUsuario !== user.idUsuario) throw new Problem('sem_permissao')
      },
    },
  )

  serve(
    app,
    accountsApi.changeWithCurrent,
    async ({ body: { loginUsuario, senhaAtual, novaSenha } }, { request }) => {
      const { account, booking } = await attempts.identify({
        username: loginUsuario,
        password: senhaAtual,
        request,
        refuse: (id, motivo) => recordRefusal(request, id, motivo),
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
        if (error instanceof Problem) await recordRefusal(request, idUsuario, reasonOf(error))
        throw error
      })
      deleteFirstPassword(config, idUsuario)
    },
    { authorize: async () => assertPasswordSignIn(config) },
  )
}

const reasons: Record<string, string> = {
  reautenticacao_necessaria: 'senha atual não informada',
  campos_invalidos: 'senha atual errada',
  muitas_tentativas: 'limite de tentativas',
  segundo_fator_necessario: 'segundo fator',
}

const reasonOf = (error: unknown): string =>
  error instanceof Problem ? (reasons[error.codigo] ?? error.codigo) : 'erro'
