import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** What the portal must know of its installation before anybody signs in. Nothing here is secret. */
export const PortalSettings = z
  .object({
    /** The one origin besides Microsoft's from which a report may be embedded; null without a local report service. */
    origemEmbed: z.url().nullable(),
    /** True in the demo, whose people and numbers are fictitious. */
    demonstracao: z.boolean(),
    /** Whether people sign in with passwords of ours; only then can they sign up and recover one. */
    entradaComSenha: z.boolean(),
    /** The identity provider's name for the button 'Entrar com {nome}'; null where none is configured. */
    provedorIdentidade: z.string().nullable(),
    /** Who runs this installation, for the privacy notice; null where nobody said. */
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
