import { securitySettingsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf, missedUpdate } from '../../audit/record-change.ts'
import { ifMatchOf } from '../../http/if-match.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import {
  countWithoutFactor,
  getSettings,
  lockSettings,
  updateSettings,
} from './security-settings.repository.ts'

const subject = 'configuracao:seguranca'

export const securitySettingsRoutes = async (app: FastifyInstance, { db, recordAudit }: Services) => {
  serve(app, securitySettingsApi.get, async () => ({
    ...(await getSettings(db)),
    semSegundoFator: await countWithoutFactor(db),
  }))

  serve(app, securitySettingsApi.update, async ({ body }, { user, request, write }) => {
    const settings = await write(async (tx) => {
      const ifMatch = ifMatchOf(request)
      const before = await lockSettings(tx)
      const after = await updateSettings(tx, body.segundoFator, ifMatch)
      if (!after) throw await missedUpdate(tx, { exists: true, subject, ifMatch })
      await recordAudit(tx, {
        action: 'settings.updated',
        idUsuario: user.idUsuario,
        subject,
        details: changeOf(before, after),
        request,
      })
      return after
    })
    return { ...settings, semSegundoFator: await countWithoutFactor(db) }
  })
}
