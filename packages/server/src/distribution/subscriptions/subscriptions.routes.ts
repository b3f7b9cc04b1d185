import {
  receivedSubscriptionsApi,
  type Subscription,
  type SubscriptionDraft,
  subscriptionsApi,
} from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type ConnectionServices,
  effectiveIdentityOf,
  ProviderRefusal,
  registeredConnection,
} from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { answerList } from '../../platform/http/lists/list-headers.ts'
import { serve } from '../../platform/http/serve.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { createViewCheck, type ExportableReport, viewerOf } from '../../reports/index.ts'
import { getReport } from '../deliveries/own-rows.ts'
import { attachmentDenialReason, readSendingRules } from '../deliveries/sending-rules.ts'
import { assertFewRecipients, assertHasPage, completeDraft, formatsOf } from './check-draft.ts'
import { notifyRecipients } from './recipients/notify-recipients.ts'
import { ownSkipReason } from './recipients/own-skip-reason.ts'
import { listRecipients, replaceRecipients } from './recipients/recipients.repository.ts'
import {
  findChoice,
  insertSubscription,
  listReceived,
  subscriptionRows,
  updateSubscription,
} from './subscriptions.repository.ts'

const { get, listAll, listOwn, lock, subjectOf } = subscriptionRows

export const subscriptionsRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { db, now, powerBi } = services
  const authorize = createViewCheck(db)

  serve(
    app,
    subscriptionsApi.options,
    async ({ params: { id } }, { user, request }) => {
      const report = await getReport(db, id)
      const rules = await readSendingRules(db)
      const isPaginated = report.tipoRelatorio === 'PAGINADO'
      return {
        ...(await drawnFormats(report, request.log)),
        semAnexo: attachmentDenialReason(rules, report),
        sabeVazio: !isPaginated && report.provedor === 'local',
        sabeAtualizacao: !isPaginated,
        impedimento: ownSkipReason(rules, user),
        anexoMb: rules.anexoMb,
      }
    },
    { authorize },
  )

  /** Returns the formats that the provider can make now, which are none while it does not answer. */
  const drawnFormats = async (report: ExportableReport, log: FastifyRequest['log']) => {
    const formats = formatsOf(report)
    if (report.provedor !== 'local') return { formatos: formats, servicoResponde: true }
    try {
      const drawn = await powerBi.exportFormats(registeredConnection(report, services), report)
      return { formatos: formats.filter((format) => drawn.includes(format)), servicoResponde: true }
    } catch (err) {
      // A service of an earlier version does not know the question.
      if (err instanceof ProviderRefusal && err.status === 404)
        return { formatos: formats, servicoResponde: true }
      log.info({ err }, 'the formats that the report service can make are not known')
      return { formatos: [], servicoResponde: false }
    }
  }

  serve(app, subscriptionsApi.ofReport, ({ params: { id } }, { user }) => listOwn(db, user, id), {
    authorize,
  })

  serve(app, subscriptionsApi.own, (_, { user }) => listOwn(db, user))

  serve(app, receivedSubscriptionsApi.list, (_, { user }) => listReceived(db, viewerOf(user)))

  serve(app, subscriptionsApi.list, async ({ query }, context) =>
    answerList(await listAll(db, context.user, query), query, context),
  )

  serve(app, subscriptionsApi.get, ({ params: { id } }, { user }) => get(db, id, user))

  serve(app, subscriptionsApi.setActive, ({ params: { id }, body: { ativa } }, context) =>
    subscriptionRows.setActive(id, ativa, now(), context),
  )

  serve(app, subscriptionsApi.remove, ({ params: { id } }, context) => subscriptionRows.remove(id, context))

  serve(
    app,
    subscriptionsApi.create,
    ({ params, body }, { user, write }) =>
      write.exclusive(async (tx, audit) => {
        const { idUsuario } = user
        const report = await getReport(tx, params.id)
        const draft = await completeDraft(tx, body, { owner: user, idRelatorio: params.id, report })
        assertHasPage(draft)
        const id = await insertSubscription(tx, { idDono: idUsuario, idRelatorio: params.id }, draft, now())
        const added = await storeRecipients(tx, id, draft)
        await notifyRecipients(tx, added, { idRelatorio: params.id, ...user, assunto: draft.assunto }, now())
        return subscriptionRows.created(tx, audit, id, user)
      }),
    { authorize },
  )

  serve(app, subscriptionsApi.update, ({ params: { id }, body }, { user, request, write }) =>
    write(async (tx, audit) => {
      const before = await lock(tx, id, user, ifMatchOf(request))
      const { owner, idRelatorio } = await getOwner(tx, id)
      // An ADMIN also changes a subscription of a report that its owner may no longer see.
      if (!before.relatorio) throw new Problem('relatorio_sem_permissao')
      assertSeesChoice(before, 'mudá-la')
      const report = await getReport(tx, idRelatorio)
      const draft = await completeDraft(tx, body, { owner, idRelatorio, report })
      assertHasPage(draft)
      return subscriptionRows.change(tx, audit, id, user, async () => {
        await updateSubscription(tx, id, draft, now())
        const added = await storeRecipients(tx, id, draft)
        await notifyRecipients(tx, added, { idRelatorio, ...user, assunto: draft.assunto }, now())
      })
    }),
  )

  serve(
    app,
    receivedSubscriptionsApi.choice,
    async ({ params: { id: idRelatorio, idAssinatura } }, { user, auditIn }) => {
      const found = await findChoice(db, viewerOf(user), { idAssinatura, idRelatorio })
      const { idDono, report, choice } = orNotFound(found)
      // Refuses an e-mail that could be another person's, as when the report is opened.
      effectiveIdentityOf(report, user)
      if (idDono !== user.idUsuario)
        await auditIn(db, 'subscription.choice-read', subjectOf(idAssinatura), { idRelatorio })
      return choice
    },
    { authorize },
  )
}

/**
 * @param change what the caller wants to do with it
 * @throws Problem 403 when filters are another person's: with a new recipient, or a file for
 * themselves, the caller would read them
 */
export const assertSeesChoice = ({ mostraEscolha }: Subscription, change: string): void => {
  if (mostraEscolha) return
  const detail = `Só quem fez a assinatura pode ${change}: o relatório mostra linhas diferentes a cada pessoa, e os filtros são dela. Você pode pausá-la ou excluí-la.`
  throw new Problem('sem_permissao', { detail })
}

/** Replaces the recipients. @returns those who were none before */
const storeRecipients = async (tx: Db, id: number, draft: SubscriptionDraft): Promise<number[]> => {
  const before = new Set(await listRecipients(tx, id))
  await replaceRecipients(tx, id, draft)
  await assertFewRecipients(tx, id)
  return (await listRecipients(tx, id)).filter((idUsuario) => !before.has(idUsuario))
}

const getOwner = async (tx: Db, idAssinatura: number) => {
  const { idRelatorio, ...owner } = await tx
    .selectFrom('assinatura')
    .innerJoin('usuario', 'usuario.idUsuario', 'idDono')
    .select(['idRelatorio', 'usuario.idUsuario', 'tipoUsuario as tipo'])
    .where('idAssinatura', '=', idAssinatura)
    // A change of the owner's role waits until this change is written.
    .forKeyShare('usuario')
    .executeTakeFirstOrThrow()
  return { owner, idRelatorio }
}
