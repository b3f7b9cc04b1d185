import { callsOf, namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'
import { EmbeddedReport } from '../reports/reports.ts'

/** Pages of the portal for guests: that of the invitation, that of the e-mailed link, and the report. */
export const VISIT_PATHS = {
  invitation: '/visita',
  link: '/visita/entrar',
  report: '/visita/relatorio',
} as const

/** The Bearer credential of a visit: 256 random bits after a prefix that no session token has. */
export const VISIT_CREDENTIAL = /^visita_[\w-]{43}$/

/** What opens the visit; no other answer has the credential. */
export const OpenedVisit = namedObject('OpenedVisit', {
  credencial: z.string(),
  expiraEm: z.iso.datetime(),
})
export type OpenedVisit = z.infer<typeof OpenedVisit>

export const Visit = namedObject('Visit', {
  nomeRelatorio: z.string(),
  emailConvidado: z.string(),
  expiraEm: z.iso.datetime(),
})
export type Visit = z.infer<typeof Visit>

/** What draws the report; nothing of its workspace or of other reports. */
export const GuestReport = EmbeddedReport.pick({
  embedToken: true,
  embedUrl: true,
  reportId: true,
  expiration: true,
  nomeRelatorio: true,
  filtros: true,
}).meta({ id: 'GuestReport' })
export type GuestReport = z.infer<typeof GuestReport>

const tag = 'Visita de um convidado'
const anyone = callsOf({ tag, permission: 'public' })
const guest = callsOf({ tag, permission: 'guest:visit' })

export const guestVisitsApi = {
  askLink: anyone.post('/visita/pedido', 'Envia ao convidado um link que abre uma visita', {
    body: namedObject('VisitRequest', { convite: z.string().max(100) }),
    response: { 200: namedObject('VisitRequested', { mensagem: z.string() }) },
  }),
  open: anyone.post('/visita/entrada', 'Abre a visita com o link do e-mail, que vale uma vez', {
    body: namedObject('VisitEntry', { token: z.string().max(100) }),
    response: { 201: OpenedVisit },
  }),
  get: guest.get('/visita', 'A visita aberta', { response: { 200: Visit } }),
  embed: guest.post('/visita/relatorio', 'Emite o token do relatório da visita', {
    response: { 200: GuestReport },
  }),
  leave: guest.post('/visita/sair', 'Encerra a visita'),
}
