import { ownSessionsApi, type ReauthenticationMethod } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import type { Audit, Write } from '../../platform/http/caller-transaction.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { reauthenticationMethodsOf } from '../../platform/http/guard/reauthentication.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { withCountedCode, wrongCodeProblem } from '../credentials/counted-codes.ts'
import { assertOwnPassword } from '../credentials/recent-sign-in.ts'
import { consumeCode } from '../credentials/second-factor.ts'
import { confirmSession } from '../sessions/sessions.repository.ts'

interface Who {
  user: Caller
  request: FastifyRequest
  write: Write
}

/** Serves 'Confirme que é você', the proof that calls with `reauthentication` require. */
export const serveConfirmation = (app: FastifyInstance, services: Services): void => {
  const { db, config, now } = services

  const writeReauthentication = async (
    tx: Db,
    audit: Audit,
    { idSessao }: Caller,
    meio: ReauthenticationMethod,
  ) => {
    const isOpen = await confirmSession(tx, idSessao, { confirmadaEm: now(), confirmadaCom: meio })
    if (!isOpen) throw new Problem('sessao_encerrada')
    await audit('session.confirmed', undefined, { meio })
  }

  const byPassword = async ({ user, write }: Who, senha: string) => {
    await assertOwnPassword(services, user, senha, { field: 'senha', wrong: 'A senha não confere.' })
    await write((tx, audit) => writeReauthentication(tx, audit, user, 'senha'))
  }

  const byCode = (who: Who, code: string) =>
    withCountedCode(services, who, async (tx, audit) => {
      const { user, request } = who
      const { idUsuario } = user
      if (!(await consumeCode(tx, services, { idUsuario, code, request }))) throw wrongCodeProblem(code)
      await writeReauthentication(tx, audit, user, 'codigo')
    })

  serve(app, ownSessionsApi.proofs, (_, { user }) => ({ meios: reauthenticationMethodsOf(user, config) }))

  serve(app, ownSessionsApi.confirm, async ({ body: { senha, codigo } }, who) => {
    const { user, auditIn } = who
    const meio = senha === undefined ? 'codigo' : 'senha'
    if (!reauthenticationMethodsOf(user, config).includes(meio)) {
      throw new Problem('campos_invalidos', { campos: { [meio]: absent[meio] } })
    }
    const confirming = senha === undefined ? byCode(who, codigo ?? '') : byPassword(who, senha)
    await confirming.catch(async (error: unknown) => {
      if (error instanceof Problem && error.codigo === 'campos_invalidos') {
        await auditIn(db, 'session.confirmation-refused', undefined, { meio, motivo: reasons[meio] })
      }
      throw error
    })
  })
}

const reasons = { senha: 'senha errada', codigo: 'código errado' } as const
const absent = {
  senha: 'A sua conta não entra com senha.',
  codigo: 'A sua conta não tem segundo fator.',
} as const
