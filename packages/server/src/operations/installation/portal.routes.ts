import { portalApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { listPublicAnnouncements } from '../../distribution/index.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { createLastKnownReader } from '../../platform/lib/last-known.ts'
import { isMailLate } from '../../platform/mail/is-mail-late.ts'

export const portalRoutes = async (app: FastifyInstance, { config, db, now, readBrand }: Services) => {
  const readAnnouncements = createLastKnownReader(() => listPublicAnnouncements(db, now()), [])

  const readMailLateness = createLastKnownReader(() => isMailLate(db), false)

  serve(app, portalApi.settings, async () => ({
    origemEmbed: config.bi.localEmbedOrigin,
    origemMicrosoft: config.bi.addresses.microsoft.embed,
    demonstracao: config.demoSeed !== undefined,
    entradaComSenha: config.passwordSignIn,
    enviaEmails: config.mail.smtpUrl !== undefined,
    correioAtrasado: await readMailLateness(),
    provedorIdentidade: config.oidc?.name ?? null,
    nomeEmpresa: (await readBrand()).nome ?? config.companyName ?? null,
    avisos: await readAnnouncements(),
  }))
}
