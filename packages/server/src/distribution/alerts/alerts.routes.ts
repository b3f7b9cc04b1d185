import { isDeepStrictEqual } from 'node:util'
import { type Alert, type AlertDraft, alertsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { type ConnectionServices, effectiveIdentityOf } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { createCallLimit } from '../../platform/http/guard/shared-call-counts.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { answerList } from '../../platform/http/lists/list-headers.ts'
import { serve } from '../../platform/http/serve.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { createViewCheck, type ExportableReport, exportScope } from '../../reports/index.ts'
import { getReport } from '../deliveries/own-rows.ts'
import { emailSkipReason } from '../deliveries/recipient.ts'
import { mayLeave, readRecipientRules } from '../deliveries/sending-rules.ts'
import { ownerSkipReason, scopeOf, selectAlerts, shownScope } from './alert-access.ts'
import { createAlertRows, insertAlert, renewSecret, updateAlert } from './alerts.repository.ts'
import { completeDraft, initialState, sourceOf } from './check-draft.ts'
import { insertEvaluation, listEvaluations } from './evaluations.repository.ts'
import { withoutLiterals } from './values/query-trail.ts'
import { offeredVisuals, readPage, readQuery } from './values/read-values.ts'

/**
 * Readings of values per minute and person, for the form and to save an alert: each is several queries of
 * the report service, and many at once slow the portal for everybody.
 */
const readingsAMinute = 60

export const alertsRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { db, secrets, now } = services
  const authorize = createViewCheck(db)
  const countReading = createCallLimit(app, services, readingsAMinute)

  /** Counts a reading. @throws Problem 429 `muitas_tentativas` */
  const assertFewReadings = ({ idUsuario }: Caller) => countReading(`alerta-leitura:${idUsuario}`)

  const { get, lock, listOwn, listAll, subjectOf, ...rows } = createAlertRows(secrets)

  serve(
    app,
    alertsApi.options,
    async ({ params: { id } }, { user }) => {
      const report = await getReport(db, id)
      const rules = await readRecipientRules(db)
      const { emailUsuario, emailComprovado } = user
      return {
        ...sourceOf(report, user),
        semEmail: emailSkipReason({ emailUsuario, emailPorProvar: !emailComprovado }, rules),
        emailSemValores: !mayLeave(report, rules),
        podeWebhook: user.tipo === 'ADMIN',
      }
    },
    { authorize },
  )

  serve(
    app,
    alertsApi.visuals,
    async ({ params: { id }, body }, { user, write }) => {
      const report = await getReport(db, id)
      const { origem, impedimento } = sourceOf(report, user)
      if (origem !== 'VISUAL')
        throw new Problem('alerta_sem_valor', {
          detail: impedimento ?? 'Este relatório não mostra os seus valores ao portal.',
        })
      await assertFewReadings(user)
      const identity = effectiveIdentityOf(report, user)
      const reader = String(user.idUsuario)
      const { pagina, filtros } = body
      const read = await readPage(services, report, {
        identity,
        reader,
        pagina: pagina ?? undefined,
        filtros,
      })
      await write(async (tx, audit) => {
        await assertUnchanged(tx, user, { report, identity })
        await audit('alert.values-read', `relatorio:${id}`, { pagina: read.page.name })
      })
      return offeredVisuals(read)
    },
    { authorize, largeAnswer: 'values' },
  )

  /** The provider may take seconds: permission, identity or report may have changed since. */
  const assertUnchanged = async (
    tx: Db,
    user: Caller,
    { report, identity }: { report: ExportableReport; identity: ReturnType<typeof effectiveIdentityOf> },
  ): Promise<void> => {
    await createViewCheck(tx)({ id: report.idRelatorio }, user)
    const again = await getReport(tx, report.idRelatorio)
    const person = await tx
      .selectFrom('usuario')
      .select(['emailUsuario', 'identidadeRls', 'emailPorProvar', 'tipoUsuario'])
      .where('idUsuario', '=', user.idUsuario)
      .executeTakeFirstOrThrow()
    const current = effectiveIdentityOf(again, { ...person, emailComprovado: !person.emailPorProvar })
    const isSame =
      isDeepStrictEqual(current, identity) &&
      person.tipoUsuario === user.tipo &&
      exportScope(again, current) === exportScope(report, identity)
    if (!isSame) throw new Problem('servico_indisponivel', { retryAfter: 1 })
  }

  serve(
    app,
    alertsApi.testQuery,
    async ({ params: { id }, body: { consulta } }, { user, write }) => {
      const report = await getReport(db, id)
      const { origem, impedimento } = sourceOf(report, user)
      if (origem !== 'DAX')
        throw new Problem('consulta_recusada', {
          detail: impedimento ?? 'Só relatórios do Power BI da Microsoft têm consultas DAX.',
        })
      await assertFewReadings(user)
      await write((_, audit) =>
        audit('alert.query-tested', `relatorio:${id}`, { consulta: withoutLiterals(consulta) }),
      )
      const { valor } = await readQuery(services, report, {
        identity: effectiveIdentityOf(report, user),
        consulta,
      })
      return { valor }
    },
    { authorize },
  )

  serve(app, alertsApi.ofReport, ({ params: { id } }, { user }) => listOwn(db, user, id), { authorize })

  serve(app, alertsApi.own, (_, { user }) => listOwn(db, user))

  serve(app, alertsApi.list, async ({ query }, context) =>
    answerList(await listAll(db, context.user, query), query, context),
  )

  serve(app, alertsApi.get, ({ params: { id } }, { user }) => get(db, id, user))

  serve(app, alertsApi.setActive, ({ params: { id }, body: { ativo } }, context) =>
    rows.setActive(id, ativo, now(), context),
  )

  serve(app, alertsApi.remove, ({ params: { id } }, context) => rows.remove(id, context))

  /** Reads the value of a draft before the transaction that stores it. */
  const prepare = async (idRelatorio: number, draft: AlertDraft, user: Caller) => {
    const report = await getReport(db, idRelatorio)
    await assertFewReadings(user)
    const started = performance.now()
    const completed = await completeDraft(services, report, draft, user)
    const duracaoMs = Math.round(performance.now() - started)
    const identity = effectiveIdentityOf(report, user)
    return { report, identity, completed, duracaoMs, state: initialState(draft, completed.reading), draft }
  }
  type Prepared = Awaited<ReturnType<typeof prepare>>

  /** Stores what determines the first value, and the first evaluation. */
  const begin = async (tx: Db, user: Caller, idAlerta: number, prepared: Prepared): Promise<void> => {
    await assertUnchanged(tx, user, prepared)
    const row = await selectAlerts(tx).where('alerta.idAlerta', '=', idAlerta).executeTakeFirstOrThrow()
    const skipReason = ownerSkipReason(row, await readRecipientRules(tx))
    if (skipReason !== null) throw new Problem('relatorio_sem_permissao')
    const { alcance } = scopeOf(row, secrets)
    const { resultado, valor } = prepared.state
    await tx.updateTable('alerta').set({ alcance }).where('idAlerta', '=', idAlerta).execute()
    await insertEvaluation(tx, {
      idAlerta,
      em: now(),
      resultado,
      valor,
      anterior: null,
      frase: null,
      alcance,
      duracaoMs: prepared.duracaoMs,
      versaoAlerta: row.versaoAlerta,
    })
  }

  /** Whether notices would go to another webhook than before. */
  const sendsElsewhere = ({ webhook }: AlertDraft, before?: Alert): boolean =>
    webhook !== null && webhook !== before?.webhook

  const savedOf = ({ draft, completed, state }: Prepared) => ({ draft, completed, state, now: now() })

  serve(
    app,
    alertsApi.create,
    async ({ params: { id: idRelatorio }, body }, { user, assertReauthenticated, write }) => {
      if (sendsElsewhere(body)) assertReauthenticated()
      const prepared = await prepare(idRelatorio, body, user)
      return write.exclusive(async (tx, audit) => {
        const owner = { idDono: user.idUsuario, idRelatorio }
        const { idAlerta, segredo } = await insertAlert(tx, secrets, owner, savedOf(prepared))
        await begin(tx, user, idAlerta, prepared)
        const alerta = await rows.created(tx, audit, idAlerta, user)
        return { alerta, segredo }
      })
    },
    { authorize },
  )

  serve(app, alertsApi.update, async ({ params: { id }, body }, context) => {
    const { user, request, assertReauthenticated, write } = context
    const known = await get(db, id, user)
    assertOwner(known, user)
    if (!known.relatorio) throw new Problem('relatorio_sem_permissao')
    const { idRelatorio } = known.relatorio
    if (sendsElsewhere(body, known)) assertReauthenticated()
    const prepared = await prepare(idRelatorio, body, user)
    return write(async (tx, audit) => {
      await lock(tx, id, user, ifMatchOf(request))
      let segredo: string | null = null
      const alerta = await rows.change(tx, audit, id, user, async () => {
        segredo = await updateAlert(tx, secrets, id, savedOf(prepared))
        await begin(tx, user, id, prepared)
      })
      return { alerta, segredo }
    })
  })

  serve(app, alertsApi.renewSecret, ({ params: { id } }, { user, write }) => {
    return write(async (tx, audit) => {
      assertOwner(await lock(tx, id, user), user)
      const segredo = orNotFound(await renewSecret(tx, secrets, id))
      await audit('alert.secret-renewed', subjectOf(id))
      return { segredo }
    })
  })

  serve(app, alertsApi.evaluations, async ({ params: { id }, query }, context) => {
    const { mostraValores } = await get(db, id, context.user)
    const row = mostraValores
      ? await selectAlerts(db).where('alerta.idAlerta', '=', id).executeTakeFirst()
      : undefined
    const alcance = row && shownScope(row, secrets)
    const page = await listEvaluations(db, { idAlerta: id, alcance }, query)
    return answerList(page, query, context)
  })
}

/** Values are read as the owner: another ADMIN would choose from other rows. */
const assertOwner = ({ dono }: Alert, { idUsuario }: Caller): void => {
  if (dono.idUsuario !== idUsuario)
    throw new Problem('sem_permissao', { detail: 'Só quem criou o alerta pode mudá-lo.' })
}
