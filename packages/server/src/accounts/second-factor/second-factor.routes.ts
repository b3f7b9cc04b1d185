import { secondFactorApi, userEntity } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import { lockRow } from '../../platform/db/transactions/lock-row.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { withCountedCode, wrongCodeProblem } from '../credentials/counted-codes.ts'
import { notifySecondFactorChanged } from '../credentials/notify-second-factor.ts'
import { assertRecentPassword } from '../credentials/recent-sign-in.ts'
import {
  consumeCode,
  countRecoveryCodes,
  newSecret,
  replaceRecoveryCodes,
  stepOf,
  uriOf,
} from '../credentials/second-factor.ts'
import { endAccessOf, endSessionsOf } from '../sessions/end-sessions.ts'
import { deviceMark, forgetDevices } from '../sessions/known-devices.ts'
import { serveFactorRemoval } from './factor-removal.routes.ts'
import {
  activateFactor,
  deleteActiveFactor,
  findFactor,
  findNextFactor,
  isDemandedOf,
  putNextFactor,
  putPendingFactor,
} from './second-factor.repository.ts'

export const secondFactorRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, secrets, now } = services

  /** Requires a code of the active factor, from the app or a recovery code. */
  const assertCode = async (tx: Db, { idUsuario }: Caller, code: string, request: FastifyRequest) => {
    const factor = await findFactor(tx, idUsuario)
    if (!factor?.ativoEm) throw new Problem('segundo_fator_ausente')
    if (!(await consumeCode(tx, services, { idUsuario, code, request }))) throw wrongCodeProblem(code)
  }

  serve(app, secondFactorApi.status, async (_, { user }) => {
    const factor = await findFactor(db, user.idUsuario)
    const desde = factor?.ativoEm?.toISOString() ?? null
    const exigido = await isDemandedOf(db, user)
    const codigosRestantes = await countRecoveryCodes(db, user.idUsuario)
    return { ativo: desde !== null, desde, codigosRestantes, exigido }
  })

  serve(app, secondFactorApi.start, async ({ body: { senhaAtual, codigo } }, { user, request, write }) => {
    const { idUsuario, idSessao } = user
    const factor = await findFactor(db, idUsuario)
    if (factor?.ativoEm && codigo == null) throw new Problem('segundo_fator_ativo')
    await assertRecentPassword(services, user, senhaAtual)
    const segredo = newSecret()
    const answer = { segredo, uri: uriOf(segredo, user.emailUsuario) }
    if (factor?.ativoEm && codigo != null) {
      await withCountedCode(services, { user, write }, async (tx) => {
        await assertCode(tx, user, codigo, request)
        await putNextFactor(tx, { idUsuario, idSessao, segredo: secrets.encrypt(segredo), criadoEm: now() })
      })
      return answer
    }
    // Exclusive, so that no code for the previous secret is confirmed at the same time.
    await write.exclusive(async (tx) => {
      const isPut = await putPendingFactor(tx, { idUsuario, idSessao, segredo: secrets.encrypt(segredo) })
      if (!isPut) throw new Problem('segundo_fator_ativo')
    })
    return answer
  })

  serve(app, secondFactorApi.confirm, ({ body: { codigo } }, { user, request, write }) =>
    withCountedCode(services, { user, write }, async (tx, audit) => {
      const { idUsuario, idSessao } = user
      const factor = await findFactor(tx, idUsuario)
      const isReplaced = factor !== undefined && factor.ativoEm !== null
      if (!isReplaced && factor?.idSessao !== idSessao) throw new Problem('segundo_fator_ausente')
      const segredo = isReplaced ? await findNextFactor(tx, user, now()) : factor?.segredo
      if (!segredo) throw new Problem('segundo_fator_ativo')
      const step = stepOf(secrets.decrypt(segredo), codigo, now())
      if (step === undefined) throw wrongCodeProblem(codigo)
      await activateFactor(tx, idUsuario, { segredo, step, now: now() })
      const codigosRecuperacao = await replaceRecoveryCodes(tx, services, idUsuario)
      await forgetDevices(tx, idUsuario, deviceMark(request, secrets.digest))
      const sessoesEncerradas = await endSessionsOf(tx, idUsuario, { now: now(), kept: idSessao })
      const action = isReplaced ? 'second-factor.replaced' : 'second-factor.enabled'
      await audit(action, subjectOf(idUsuario), { sessoesEncerradas })
      const mudanca = isReplaced ? 'trocado' : 'ativado'
      await notifySecondFactorChanged(tx, services, idUsuario, { mudanca })
      return { codigosRecuperacao }
    }),
  )

  serve(app, secondFactorApi.renewCodes, ({ body: { codigo } }, { user, request, write }) =>
    withCountedCode(services, { user, write }, async (tx, audit) => {
      await assertCode(tx, user, codigo, request)
      const codigosRecuperacao = await replaceRecoveryCodes(tx, services, user.idUsuario)
      await audit('second-factor.codes-renewed', subjectOf(user.idUsuario))
      await notifySecondFactorChanged(tx, services, user.idUsuario, { mudanca: 'codigos' })
      return { codigosRecuperacao }
    }),
  )

  serve(app, secondFactorApi.disable, ({ body: { codigo } }, { user, request, write }) =>
    withCountedCode(services, { user, write }, async (tx, audit) => {
      const factor = await findFactor(tx, user.idUsuario)
      if (factor?.ativoEm && (await isDemandedOf(tx, user))) throw new Problem('segundo_fator_exigido')
      await assertCode(tx, user, codigo, request)
      await deleteActiveFactor(tx, user.idUsuario)
      await audit('second-factor.disabled', subjectOf(user.idUsuario))
      await notifySecondFactorChanged(tx, services, user.idUsuario, { mudanca: 'desativado' })
    }),
  )

  serveFactorRemoval(app, services)

  serve(app, secondFactorApi.reset, async ({ params: { id } }, { user, write }) => {
    if (id === user.idUsuario) {
      throw new Problem('propria_conta', {
        detail: 'Você não pode redefinir o seu próprio segundo fator. Peça a outro administrador.',
      })
    }
    await write(async (tx, audit) => {
      if (!(await lockRow(tx, userEntity, id))) throw new Problem('nao_encontrado')
      if (!(await deleteActiveFactor(tx, id))) throw new Problem('segundo_fator_ausente')
      await forgetDevices(tx, id, undefined)
      const ended = await endAccessOf(tx, id, { now: now(), kept: undefined })
      await audit('second-factor.reset', subjectOf(id), ended)
      const change = { mudanca: 'redefinido', por: user.nomeUsuario } as const
      await notifySecondFactorChanged(tx, services, id, change, user.idUsuario)
    })
  })
}

const subjectOf = (id: number) => `usuario:${id}`
