import { type SubscriptionSettingsUpdate, subscriptionSettingsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf, explainMissedUpdate } from '../../platform/audit/record-change.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { readSendingRules, type SendingRules } from '../deliveries/sending-rules.ts'

const subject = 'configuracao:assinaturas'

export const subscriptionSettingsRoutes = async (app: FastifyInstance, services: Services) => {
  const { db } = services
  serve(app, subscriptionSettingsApi.get, () => readSendingRules(db))

  serve(app, subscriptionSettingsApi.update, ({ body }, { request, assertReauthenticated, write }) =>
    write(async (tx, audit) => {
      const ifMatch = ifMatchOf(request)
      await tx.selectFrom('assinaturaRegras').select('versao').forUpdate().execute()
      const before = await readSendingRules(tx)
      if (ifMatch !== undefined && ifMatch !== before.versao)
        throw await explainMissedUpdate(tx, { exists: true, subject, ifMatch })
      if (isLooser(before, body)) assertReauthenticated()
      await tx
        .updateTable('assinaturaRegras')
        .set((eb) => ({ ...body, versao: eb('versao', '+', 1) }))
        .execute()
      const after = await readSendingRules(tx)
      await audit('subscription-rules.updated', subject, changeOf({ ...before }, after))
      return after
    }),
  )
}

/** Whether more data, or to more addresses, may leave the portal. */
const isLooser = (before: SendingRules, after: SubscriptionSettingsUpdate): boolean =>
  (after.anexosRestritos && !before.anexosRestritos) ||
  (before.dominios.length > 0 &&
    (after.dominios.length === 0 || after.dominios.some((domain) => !before.dominios.includes(domain))))
