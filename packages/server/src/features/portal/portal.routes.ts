import { portalApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'

export const portalRoutes = async (app: FastifyInstance, { config, readBrand }: Services) => {
  serve(app, portalApi.settings, async () => ({
    origemEmbed: config.bi.localEmbedOrigin,
    origemMicrosoft: config.bi.addresses.microsoft.embed,
    demonstracao: config.demoSeed !== undefined,
    entradaComSenha: config.passwordSignIn,
    enviaEmails: config.mail.smtpUrl !== undefined,
    provedorIdentidade: config.oidc?.name ?? null,
    nomeEmpresa: (await readBrand()).nome ?? config.companyName ?? null,
  }))
}
