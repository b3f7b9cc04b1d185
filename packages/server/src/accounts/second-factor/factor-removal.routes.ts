import { secondFactorApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { consumeLink, removalLinks } from '../credentials/account-links.ts'
import { notifySecondFactorChanged } from '../credentials/notify-second-factor.ts'
import { assertPasswordSignIn } from '../credentials/password-sign-in.ts'
import { endAccessOf } from '../sessions/end-sessions.ts'
import { forgetDevices } from '../sessions/known-devices.ts'
import { deleteActiveFactor } from './second-factor.repository.ts'

/**
 * Serves the link of the e-mail about a new second factor, with which the account's owner removes a
 * stranger's.
 */
export const serveFactorRemoval = (app: FastifyInstance, services: Services): void => {
  const { db, config, now, writeAudit } = services

  serve(
    app,
    secondFactorApi.removeByLink,
    ({ body: { token } }, { request }) =>
      inTransaction(db, async (tx) => {
        const link = await consumeLink(tx, services, token, removalLinks)
        const { idUsuario } = link
        const isRemoved = await deleteActiveFactor(tx, idUsuario)
        await forgetDevices(tx, idUsuario, undefined)
        const ended = await endAccessOf(tx, idUsuario, { now: now(), kept: undefined })
        await writeAudit(tx, {
          action: 'second-factor.disabled',
          idUsuario,
          subject: `usuario:${idUsuario}`,
          details: { meio: 'link', ...ended },
          request,
        })
        if (isRemoved) await notifySecondFactorChanged(tx, services, idUsuario, { mudanca: 'desativado' })
      }),
    { authorize: async () => assertPasswordSignIn(config) },
  )
}
