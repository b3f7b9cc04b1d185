import { type AuditAction, secondFactorApi } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bookAttempt, forgetAttempt } from '../../auth/attempt-limits.ts'
import { endSessionsOf } from '../../auth/end-sessions.ts'
import { deviceMark, forgetDevices } from '../../auth/known-devices.ts'
import { assertRecentPassword } from '../../auth/recent-sign-in.ts'
import {
  countRecoveryCodes,
  newSecret,
  replaceRecoveryCodes,
  stepOf,
  takeCode,
  uriOf,
  wrongCodeText,
} from '../../auth/second-factor.ts'
import { tellSecondFactorChanged } from '../../auth/tell-second-factor.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { Db } from '../../db/open-database.ts'
import type { Caller } from '../../http/caller.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../problem.ts'
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
  const { db, config, secrets, now, recordAudit } = services

  /** Each code that is tried is counted until it was right, in a transaction that holds the person's row. */
  const withCode = async <T>(idUsuario: number, work: (tx: Db) => Promise<T>): Promise<T> => {
    const allowance = {
      key: secrets.digest(`codigo-conta:${idUsuario}`),
      limit: config.signInFailures.perName,
    }
    const booking = await bookAttempt(db, [allowance], now())
    try {
      return await inTransaction(db, async (tx) => {
        await lockRow(tx, 'usuario', idUsuario)
        const result = await work(tx)
        await forgetAttempt(tx, booking)
        return result
      })
    } catch (error) {
      // Refused for another reason than the code.
      if (!isWrongCode(error)) await forgetAttempt(db, booking)
      throw error
    }
  }

  /** For changes of an active second factor: a code of it, from the app or for recovery. */
  const assertCode = async (tx: Db, { idUsuario }: Caller, code: string, request: FastifyRequest) => {
    const factor = await findFactor(tx, idUsuario)
    if (!factor?.ativoEm) throw new Problem('segundo_fator_ausente')
    if (!(await takeCode(tx, services, { idUsuario, code, request }))) throw wrongCode(code)
  }

  serve(app, secondFactorApi.status, async (_, { user }) => {
    const factor = await findFactor(db, user.idUsuario)
    const desde = factor?.ativoEm?.toISOString() ?? null
    const exigido = await isDemandedOf(db, user)
    const codigosRestantes = await countRecoveryCodes(db, user.idUsuario)
    return { ativo: desde !== null, desde, codigosRestantes, exigido }
  })

  serve(app, secondFactorApi.start, async ({ body: { senhaAtual, codigo } }, { user, request }) => {
    const { idUsuario } = user
    const factor = await findFactor(db, idUsuario)
    if (factor?.ativoEm && codigo == null) throw new Problem('segundo_fator_ativo')
    await assertRecentPassword(services, user, senhaAtual)
    const segredo = newSecret()
    const answer = { segredo, uri: uriOf(segredo, user.emailUsuario) }
    if (factor?.ativoEm && codigo != null) {
      await withCode(idUsuario, async (tx) => {
        await assertCode(tx, user, codigo, request)
        await putNextFactor(tx, { idUsuario, segredo: secrets.seal(segredo), criadoEm: now() })
      })
      return answer
    }
    await inTransaction(db, async (tx) => {
      // Not while a code for the secret before this one is being confirmed.
      await lockRow(tx, 'usuario', idUsuario)
      const isPut = await putPendingFactor(tx, idUsuario, secrets.seal(segredo))
      if (!isPut) throw new Problem('segundo_fator_ativo')
    })
    return answer
  })

  serve(app, secondFactorApi.confirm, ({ body: { codigo } }, { user, request }) =>
    withCode(user.idUsuario, async (tx) => {
      const { idUsuario, idSessao } = user
      const factor = await findFactor(tx, idUsuario)
      if (!factor) throw new Problem('segundo_fator_ausente')
      const isReplaced = factor.ativoEm !== null
      const segredo = isReplaced ? await findNextFactor(tx, idUsuario, now()) : factor.segredo
      if (!segredo) throw new Problem('segundo_fator_ativo')
      const step = stepOf(secrets.open(segredo), codigo, now())
      if (step === undefined) throw wrongCode(codigo)
      await activateFactor(tx, idUsuario, { segredo, step, now: now() })
      const codigosRecuperacao = await replaceRecoveryCodes(tx, services, idUsuario)
      await forgetDevices(tx, idUsuario, deviceMark(request, secrets.digest))
      const sessoesEncerradas = await endSessionsOf(tx, idUsuario, { now: now(), kept: idSessao })
      const action = isReplaced ? 'second-factor.replaced' : 'second-factor.enabled'
      await recordAudit(tx, eventOf(action, user, request, { sessoesEncerradas }))
      const mudanca = isReplaced ? 'trocado' : 'ativado'
      await tellSecondFactorChanged(tx, services, idUsuario, { mudanca })
      return { codigosRecuperacao }
    }),
  )

  serve(app, secondFactorApi.renewCodes, ({ body: { codigo } }, { user, request }) =>
    withCode(user.idUsuario, async (tx) => {
      await assertCode(tx, user, codigo, request)
      const codigosRecuperacao = await replaceRecoveryCodes(tx, services, user.idUsuario)
      await recordAudit(tx, eventOf('second-factor.codes-renewed', user, request))
      await tellSecondFactorChanged(tx, services, user.idUsuario, { mudanca: 'codigos' })
      return { codigosRecuperacao }
    }),
  )

  serve(app, secondFactorApi.disable, ({ body: { codigo } }, { user, request }) =>
    withCode(user.idUsuario, async (tx) => {
      const factor = await findFactor(tx, user.idUsuario)
      if (factor?.ativoEm && (await isDemandedOf(tx, user))) throw new Problem('segundo_fator_exigido')
      await assertCode(tx, user, codigo, request)
      await deleteActiveFactor(tx, user.idUsuario)
      await recordAudit(tx, eventOf('second-factor.disabled', user, request))
      await tellSecondFactorChanged(tx, services, user.idUsuario, { mudanca: 'desativado' })
    }),
  )

  serve(app, secondFactorApi.reset, async ({ params: { id } }, { user, request }) => {
    if (id === user.idUsuario) {
      throw new Problem('propria_conta', {
        detail: 'Você não pode redefinir o seu próprio segundo fator. Peça a outro administrador.',
      })
    }
    await inTransaction(db, async (tx) => {
      if (!(await lockRow(tx, 'usuario', id))) throw new Problem('nao_encontrado')
      if (!(await deleteActiveFactor(tx, id))) throw new Problem('segundo_fator_ausente')
      await forgetDevices(tx, id, undefined)
      const sessoesEncerradas = await endSessionsOf(tx, id, { now: now(), kept: undefined })
      await recordAudit(tx, {
        action: 'second-factor.reset',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: { sessoesEncerradas },
        request,
      })
      await tellSecondFactorChanged(tx, services, id, { mudanca: 'redefinido', por: user.nomeUsuario })
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

const wrongCode = (code: string) =>
  new Problem('campos_invalidos', { campos: { codigo: wrongCodeText(code) } })

const isWrongCode = (error: unknown): boolean =>
  error instanceof Problem && error.codigo === 'campos_invalidos'
