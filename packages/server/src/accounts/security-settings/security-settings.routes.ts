import {
  demandsSecondFactor,
  type SecondFactorPolicy,
  securitySettingsApi,
  UserType,
} from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changeOf, explainMissedUpdate } from '../../platform/audit/record-change.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { isAddressAllowed } from '../../platform/lib/networks.ts'
import { Problem } from '../../platform/lib/problem.ts'
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

/** Returns whether the change lets more people in, or lets them know more. */
const opens = (before: Settings, after: Settings): boolean =>
  isLooser(before.segundoFator, after.segundoFator) ||
  (after.buscaSemAcesso && !before.buscaSemAcesso) ||
  isWider(before.redesAdmin, after.redesAdmin) ||
  isWider(before.redesUsuario, after.redesUsuario)

/** Any other network may have addresses that the earlier ones lack. */
const isWider = (before: string[], after: string[]): boolean =>
  before.length > 0 && (after.length === 0 || after.some((network) => !before.includes(network)))

type Settings = Awaited<ReturnType<typeof getSettings>>

const subject = 'configuracao:seguranca'

export const securitySettingsRoutes = async (app: FastifyInstance, services: Services) => {
  const { config, db } = services
  const toWire = async (settings: Settings, { ip }: FastifyRequest) => ({
    ...settings,
    redesValem: config.signInNetworks,
    enderecoAtual: ip,
    semSegundoFator: await countWithoutFactor(db),
  })

  serve(app, securitySettingsApi.get, async (_, { request }) => toWire(await getSettings(db), request))

  serve(app, securitySettingsApi.update, async ({ body }, { request, assertReauthenticated, write }) => {
    const settings = await write(async (tx, audit) => {
      const ifMatch = ifMatchOf(request)
      const before = await lockSettings(tx)
      const after = await updateSettings(tx, body, ifMatch)
      if (!after) throw await explainMissedUpdate(tx, { exists: true, subject, ifMatch })
      // Only ADMINs get here, so their own list decides whether they shut themselves out.
      if (body.redesAdmin && !isAddressAllowed(after.redesAdmin, request.ip)) {
        throw new Problem('campos_invalidos', { campos: { redesAdmin: ownAddressOf(request) } })
      }
      if (opens(before, after)) assertReauthenticated()
      await audit('settings.updated', subject, changeOf(before, after))
      return after
    })
    return toWire(settings, request)
  })
}

const ownAddressOf = ({ ip }: FastifyRequest): string =>
  `Seu endereço, ${ip}, não está nestas redes: você ficaria sem acesso. Inclua a sua rede.`
