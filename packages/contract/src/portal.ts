import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Settings that the portal needs before sign-in. Nothing here is secret. */
export const PortalSettings = z
  .object({
    /** The only embeddable origin besides Microsoft's; null without a local report service. */
    origemEmbed: z.url().nullable(),
    /** True in the demo, whose data is fictitious. */
    demonstracao: z.boolean(),
    /** Whether password sign-in is enabled, which sign-up and password recovery require. */
    entradaComSenha: z.boolean(),
    /** The provider's name for the button 'Entrar com {nome}'; null without a provider. */
    provedorIdentidade: z.string().nullable(),
    /** The company that runs this installation, for the privacy notice; null if not configured. */
    nomeEmpresa: z.string().nullable(),
  })
  .meta({ id: 'PortalSettings' })
export type PortalSettings = z.infer<typeof PortalSettings>

export const portalApi = {
  settings: endpoint({
    method: 'GET',
    url: '/portal',
    permission: 'public',
    tag: 'Portal',
    summary: 'Configuração pública do portal',
    response: { 200: PortalSettings },
  }),
}
