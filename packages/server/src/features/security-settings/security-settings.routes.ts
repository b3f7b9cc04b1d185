import {
  demandsSecondFactor,
  type SecondFactorPolicy,
  securitySettingsApi,
  UserType,
} from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf, explainMissedUpdate } from '../../audit/record-change.ts'
import { assertRecentProof } from '../../auth/recent-sign-in.ts'
import { ifMatchOf } from '../../http/if-match.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import {
  countWithoutFactor,
  getSettings,
  lockSettings,
  updateSettings,
} from './security-settings.repository.ts'

/** Returns whether `after` exempts anyone whom `before` requires to have a second factor. */
const isLooser = (before: SecondFactorPolicy, after: SecondFactorPolicy): boolean =>
  UserType.options
    .flatMap((tipo) => [true, false].map((acessoProntuario) => ({ tipo, acessoProntuario })))
    .some((person) => demandsSecondFactor(before, person) && !demandsSecondFactor(after, person))

const subject = 'configuracao:seguranca'

export const securitySettingsRoutes = async (app: FastifyInstance, services: Services) => {
  const { db } = services
  serve(app, securitySettingsApi.get, async () => ({
    ...(await getSettings(db)),
    semSegundoFator: await countWithoutFactor(db),
  }))

  serve(app, securitySettingsApi.update, async ({ body }, { user, request, write }) => {
    const settings = await write(async (tx, audit) => {
      const ifMatch = ifMatchOf(request)
      const before = await lockSettings(tx)
      if (isLooser(before.segundoFator, body.segundoFator)) assertRecentProof(services, user)
      const after = await updateSettings(tx, body.segundoFator, ifMatch)
      if (!after) throw await explainMissedUpdate(tx, { exists: true, subject, ifMatch })
      await audit('settings.updated', subject, changeOf(before, after))
      return after
    })
    return { ...settings, semSegundoFator: await countWithoutFactor(db) }
  })
}
