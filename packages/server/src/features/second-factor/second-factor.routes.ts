import { type AuditAction, secondFactorApi } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bookAttempt, forgetAttempt } from '../../auth/attempt-limits.ts'
import { endSessionsOf } from '../../auth/end-sessions.ts'
import { assertRecentPassword } from '../../auth/recent-sign-in.ts'
import {
  countRecoveryCodes,
  newSecret,
  notifySecondFactor,
  replaceRecoveryCodes,
  stepOf,
  takeCode,
  uriOf,
} from '../../auth/second-factor.ts'
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
  isDemandedOf,
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
    if (!(await takeCode(tx, services, { idUsuario, code, request }))) throw wrongCode()
  }

  serve(app, secondFactorApi.status, async (_, { user }) => {
    const factor = await findFactor(db, user.idUsuario)
    const desde = factor?.ativoEm?.toISOString() ?? null
    const exigido = await isDemandedOf(db, user)
    const codigosRestantes = await countRecoveryCodes(db, user.idUsuario)
    return { ativo: desde !== null, desde, codigosRestantes, exigido }
  })

  serve(app, secondFactorApi.start, async ({ body: { senhaAtual } }, { user }) => {
    const factor = await findFactor(db, user.idUsuario)
    if (factor?.ativoEm) throw new Problem('segundo_fator_ativo')
    await assertRecentPassword(services, user, senhaAtual)
    const segredo = newSecret()
    await inTransaction(db, async (tx) => {
      // Not while a code for the secret before this one is being confirmed.
      await lockRow(tx, 'usuario', user.idUsuario)
      const isPut = await putPendingFactor(tx, user.idUsuario, secrets.seal(segredo))
      if (!isPut) throw new Problem('segundo_fator_ativo')
    })
    return { segredo, uri: uriOf(segredo, user.emailUsuario) }
  })

  serve(app, secondFactorApi.confirm, ({ body: { codigo } }, { user, request }) =>
    withCode(user.idUsuario, async (tx) => {
      const { idUsuario, idSessao } = user
      const factor = await findFactor(tx, idUsuario)
      if (!factor) throw new Problem('segundo_fator_ausente')
      if (factor.ativoEm) throw new Problem('segundo_fator_ativo')
      const step = stepOf(secrets.open(factor.segredo), codigo, now())
      if (step === undefined) throw wrongCode()
      await activateFactor(tx, idUsuario, { step, now: now() })
      const codigosRecuperacao = await replaceRecoveryCodes(tx, services, idUsuario)
      const sessoesEncerradas = await endSessionsOf(tx, idUsuario, { now: now(), kept: idSessao })
      await recordAudit(tx, eventOf('second-factor.enabled', user, request, { sessoesEncerradas }))
      await notifySecondFactor(tx, idUsuario, {
        titulo: 'Segundo fator ativado',
        texto: 'A sua conta agora pede um código ao entrar. Se não foi você, avise um administrador.',
        now: now(),
      })
      return { codigosRecuperacao }
    }),
  )

  serve(app, secondFactorApi.renewCodes, ({ body: { codigo } }, { user, request }) =>
    withCode(user.idUsuario, async (tx) => {
      await assertCode(tx, user, codigo, request)
      const codigosRecuperacao = await replaceRecoveryCodes(tx, services, user.idUsuario)
      await recordAudit(tx, eventOf('second-factor.codes-renewed', user, request))
      await notifySecondFactor(tx, user.idUsuario, {
        titulo: 'Códigos de recuperação trocados',
        texto: 'Os códigos anteriores não valem mais. Se não foi você, avise um administrador.',
        now: now(),
      })
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
      await notifySecondFactor(tx, user.idUsuario, {
        titulo: 'Segundo fator desativado',
        texto: 'A sua conta não pede mais um código ao entrar. Se não foi você, avise um administrador.',
        now: now(),
      })
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
      const sessoesEncerradas = await endSessionsOf(tx, id, { now: now(), kept: undefined })
      await recordAudit(tx, {
        action: 'second-factor.reset',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: { sessoesEncerradas },
        request,
      })
      await notifySecondFactor(tx, id, {
        titulo: 'Segundo fator redefinido',
        texto: `${user.nomeUsuario} retirou o segundo fator da sua conta. Configure-o de novo no seu aparelho.`,
        now: now(),
      })
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

const wrongCode = () =>
  new Problem('campos_invalidos', {
    campos: { codigo: 'Este código não confere ou já foi usado. Aguarde o próximo e tente novamente.' },
  })

const isWrongCode = (error: unknown): boolean =>
  error instanceof Problem && error.codigo === 'campos_invalidos'
