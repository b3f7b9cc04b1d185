import { accountsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { readCompanyName } from '../../platform/brand/brand.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { isRecentSignIn } from '../../platform/http/guard/reauthentication.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { deleteFirstPassword } from '../credentials/first-password.ts'
import { assertPassword, samePasswordProblem } from '../credentials/password-rules.ts'
import { assertPasswordSignIn } from '../credentials/password-sign-in.ts'
import { hashPassword, isPassword, passwordHashOf } from '../credentials/passwords.ts'
import { assertRecentPassword } from '../credentials/recent-sign-in.ts'
import { replacePassword } from '../credentials/replace-password.ts'

export const servePasswordChange = (app: FastifyInstance, services: Services): void => {
  const { db, config, now } = services

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
    async ({ body: { id, senha, senhaAtual } }, { user, request, auditIn, write }) => {
      const { idUsuario, idSessao } = user
      if (id != null && String(id) !== String(idUsuario)) throw new Problem('identidade_divergente')
      await assertMayChange(user, senhaAtual).catch(async (error: unknown) => {
        await auditIn(db, 'password.change-refused', undefined, { motivo: reasonOf(error) })
        throw error
      })
      assertPassword(senha, { owner: user, companyName: await readCompanyName(services), field: 'senha' })
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
}

const reasons: Record<string, string> = {
  reautenticacao_necessaria: 'senha atual não informada',
  campos_invalidos: 'senha atual errada',
  muitas_tentativas: 'limite de tentativas',
}

const reasonOf = (error: unknown): string =>
  error instanceof Problem ? (reasons[error.codigo] ?? error.codigo) : 'erro'
