import {
  receivedSubscriptionsApi,
  type SubscriptionRun,
  subscriptionEntity,
  subscriptionsApi,
} from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import { lockRow } from '../../platform/db/transactions/lock-row.ts'
import { answerList } from '../../platform/http/lists/list-headers.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { assertProduction } from '../../platform/installation/test-environment.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { readSendingRules } from '../deliveries/sending-rules.ts'
import { ownSkipReason } from './recipients/own-skip-reason.ts'
import { deleteExit, insertExit } from './recipients/recipients.repository.ts'
import { findRun, listMails, listRuns } from './runs/runs.repository.ts'
import { assertSendNowQuota, insertSendNow } from './runs/send-now.ts'
import { isRecipient, subscriptionRows } from './subscriptions.repository.ts'
import { assertSeesChoice } from './subscriptions.routes.ts'

const { get, subjectOf } = subscriptionRows

/** The runs of subscriptions, and the exits of their recipients. */
export const runRoutes = async (app: FastifyInstance, { db, now }: Services) => {
  serve(app, subscriptionsApi.test, async ({ params: { id } }, { user, write }) => {
    await assertProduction(db)
    return write.exclusive(async (tx, audit): Promise<SubscriptionRun> => {
      const subscription = await get(tx, id, user)
      if (!subscription.relatorio) throw new Problem('relatorio_sem_permissao')
      assertSeesChoice(subscription, 'enviá-la a si')
      const skipReason = ownSkipReason(await readSendingRules(tx), user)
      if (skipReason !== null) throw new Problem('assinatura_sem_destino', { detail: skipReason })
      await assertSendNowQuota(tx, user.idUsuario, now())
      const idExecucao = await insertSendNow(tx, id, user.idUsuario, now())
      await audit('subscription.tested', subjectOf(id), { idExecucao })
      return orNotFound(await findRun(tx, idExecucao))
    })
  })

  serve(app, subscriptionsApi.runs, async ({ params: { id }, query }, context) => {
    await get(db, id, context.user)
    return answerList(await listRuns(db, id, query), query, context)
  })

  serve(app, subscriptionsApi.mails, async ({ params: { id, idExecucao }, query }, context) => {
    await get(db, id, context.user)
    const page = await listMails(db, { idAssinatura: id, idExecucao }, query)
    return answerList(page, query, context)
  })

  serve(app, receivedSubscriptionsApi.leave, ({ params: { id } }, { user: { idUsuario }, write }) =>
    write(async (tx, audit) => {
      await assertRecipient(tx, id, idUsuario)
      if (await insertExit(tx, id, idUsuario, now())) await audit('subscription.left', subjectOf(id))
    }),
  )

  serve(app, receivedSubscriptionsApi.returnTo, ({ params: { id } }, { user: { idUsuario }, write }) =>
    write(async (tx, audit) => {
      await assertRecipient(tx, id, idUsuario)
      if (await deleteExit(tx, id, idUsuario)) await audit('subscription.returned', subjectOf(id))
    }),
  )
}

/** @throws Problem 404 when the person is not a recipient, or the subscription is gone */
const assertRecipient = async (tx: Db, id: number, idUsuario: number): Promise<void> => {
  await lockRow(tx, subscriptionEntity, id)
  if (!(await isRecipient(tx, id, idUsuario))) throw new Problem('nao_encontrado')
}
