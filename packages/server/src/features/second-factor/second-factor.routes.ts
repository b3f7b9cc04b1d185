import { type AuditAction, secondFactorApi, userEntity } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { withCountedCode, wrongCodeProblem } from '../../auth/counted-codes.ts'
import { endSessionsOf } from '../../auth/end-sessions.ts'
import { deviceMark, forgetDevices } from '../../auth/known-devices.ts'
import { assertRecentPassword, assertRecentProof } from '../../auth/recent-sign-in.ts'
import {
  consumeCode,
  countRecoveryCodes,
  newSecret,
  replaceRecoveryCodes,
  stepOf,
  uriOf,
} from '../../auth/second-factor.ts'
import { notifySecondFactorChanged } from '../../auth/tell-second-factor.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { Db } from '../../db/open-database.ts'
import type { Write } from '../../http/caller-transaction.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
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
  const { db, secrets, now, recordAudit } = services

  const withCode = <T>(who: { user: Caller; write: Write }, work: (tx: Db) => Promise<T>): Promise<T> =>
    withCountedCode(services, who, work)

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
      await withCode({ user, write }, async (tx) => {
        await assertCode(tx, user, codigo, request)
        await putNextFactor(tx, { idUsuario, idSessao, segredo: secrets.seal(segredo), criadoEm: now() })
      })
      return answer
    }
    // Exclusive, so that no code for the previous secret is confirmed at the same time.
    await write.exclusive(async (tx) => {
      const isPut = await putPendingFactor(tx, { idUsuario, idSessao, segredo: secrets.seal(segredo) })
      if (!isPut) throw new Problem('segundo_fator_ativo')
    })
    return answer
  })

  serve(app, secondFactorApi.confirm, ({ body: { codigo } }, { user, request, write }) =>
    withCode({ user, write }, async (tx) => {
      const { idUsuario, idSessao } = user
      const factor = await findFactor(tx, idUsuario)
      const isReplaced = factor !== undefined && factor.ativoEm !== null
      if (!isReplaced && factor?.idSessao !== idSessao) throw new Problem('segundo_fator_ausente')
      const segredo = isReplaced ? await findNextFactor(tx, user, now()) : factor?.segredo
      if (!segredo) throw new Problem('segundo_fator_ativo')
      const step = stepOf(secrets.open(segredo), codigo, now())
      if (step === undefined) throw wrongCodeProblem(codigo)
      await activateFactor(tx, idUsuario, { segredo, step, now: now() })
      const codigosRecuperacao = await replaceRecoveryCodes(tx, services, idUsuario)
      await forgetDevices(tx, idUsuario, deviceMark(request, secrets.digest))
      const sessoesEncerradas = await endSessionsOf(tx, idUsuario, { now: now(), kept: idSessao })
      const action = isReplaced ? 'second-factor.replaced' : 'second-factor.enabled'
      await recordAudit(tx, eventOf(action, user, request, { sessoesEncerradas }))
      const mudanca = isReplaced ? 'trocado' : 'ativado'
      await notifySecondFactorChanged(tx, services, idUsuario, { mudanca })
      return { codigosRecuperacao }
    }),
  )

  serve(app, secondFactorApi.renewCodes, ({ body: { codigo } }, { user, request, write }) =>
    withCode({ user, write }, async (tx) => {
      await assertCode(tx, user, codigo, request)
      const codigosRecuperacao = await replaceRecoveryCodes(tx, services, user.idUsuario)
      await recordAudit(tx, eventOf('second-factor.codes-renewed', user, request))
      await notifySecondFactorChanged(tx, services, user.idUsuario, { mudanca: 'codigos' })
      return { codigosRecuperacao }
    }),
  )

  serve(app, secondFactorApi.disable, ({ body: { codigo } }, { user, request, write }) =>
    withCode({ user, write }, async (tx) => {
      const factor = await findFactor(tx, user.idUsuario)
      if (factor?.ativoEm && (await isDemandedOf(tx, user))) throw new Problem('segundo_fator_exigido')
      await assertCode(tx, user, codigo, request)
      await deleteActiveFactor(tx, user.idUsuario)
      await recordAudit(tx, eventOf('second-factor.disabled', user, request))
      await notifySecondFactorChanged(tx, services, user.idUsuario, { mudanca: 'desativado' })
    }),
  )

  serveFactorRemoval(app, services)

  serve(app, secondFactorApi.reset, async ({ params: { id } }, { user, request, write }) => {
    if (id === user.idUsuario) {
      throw new Problem('propria_conta', {
        detail: 'Você não pode redefinir o seu próprio segundo fator. Peça a outro administrador.',
      })
    }
    await write(async (tx) => {
      if (!(await lockRow(tx, userEntity, id))) throw new Problem('nao_encontrado')
      if (!(await deleteActiveFactor(tx, id))) throw new Problem('segundo_fator_ausente')
      assertRecentProof(services, user)
      await forgetDevices(tx, id, undefined)
      const sessoesEncerradas = await endSessionsOf(tx, id, { now: now(), kept: undefined })
      await recordAudit(tx, {
        action: 'second-factor.reset',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: { sessoesEncerradas },
        request,
      })
      await notifySecondFactorChanged(tx, services, id, { mudanca: 'redefinido', por: user.nomeUsuario })
    })
  })
}

const subjectOf = (id: number) => `usuario:${id}`

const eventOf = (
  action: AuditAction,
  { idUsuario }: Caller,
  request: FastifyRequest,
  details: Record<string, unknown> = {},
) => ({ action, idUsuario, subject: subjectOf(idUsuario), details, request })
