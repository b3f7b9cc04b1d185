import { callsOf, namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'
import { PublicAnnouncement } from '../distribution/announcements.ts'

/** Settings that the portal needs before sign-in. Nothing here is secret. */
export const PortalSettings = namedObject('PortalSettings', {
  /** The only embeddable origin besides Microsoft's; null without a local report service. */
  origemEmbed: z.url().nullable(),
  /** The origin of the embed pages of Microsoft's selected cloud. */
  origemMicrosoft: z.url(),
  /** True in the demo, whose data is fictitious. */
  demonstracao: z.boolean(),
  /** Whether password sign-in is enabled, which sign-up and password recovery require. */
  entradaComSenha: z.boolean(),
  /** False without a mail server: invitations then stay in the outbox folder. */
  enviaEmails: z.boolean(),
  /** Whether e-mails as a whole wait: the mail server does not answer, or the queue is old. */
  correioAtrasado: z.boolean(),
  /** The provider's name for the button 'Entrar com {nome}'; null without a provider. */
  provedorIdentidade: z.string().nullable(),
  /** The company that runs this installation, for the privacy notice; null if not set. */
  nomeEmpresa: z.string().nullable(),
  /** Maintenance announcements whose period is now. */
  avisos: z.array(PublicAnnouncement),
})
export type PortalSettings = z.infer<typeof PortalSettings>

const anyone = callsOf({ tag: 'Portal', permission: 'public' })

export const portalApi = {
  settings: anyone.get('/portal', 'Configuração pública do portal', { response: { 200: PortalSettings } }),
}
