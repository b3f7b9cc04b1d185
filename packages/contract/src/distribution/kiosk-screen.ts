import { callsOf, namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'
import { DataFreshness } from '../reports/data-freshness.ts'
import { EmbeddedReport } from '../reports/reports.ts'
import { KioskLook } from './kiosks.ts'

/** The Bearer credential of a screen: 256 random bits after a prefix that no session token has. */
export const KIOSK_CREDENTIAL = /^telao_[\w-]{43}$/

/** A code for an ADMIN to type, and a credential that is valid once an ADMIN has typed it. */
export const KioskPairing = namedObject('KioskPairing', {
  codigo: z.string(),
  /** Never shown: the screen polls with it and, once connected, calls with it. */
  credencial: z.string(),
  expiraEm: z.iso.datetime(),
})
export type KioskPairing = z.infer<typeof KioskPairing>

export const KioskPairingState = namedObject('KioskPairingState', {
  situacao: z.enum(['AGUARDANDO', 'CONECTADA']),
})

/** The pages that the screen shows in turn. */
export const KioskRotation = namedObject('KioskRotation', {
  nome: z.string(),
  aparencia: KioskLook,
  ativo: z.boolean(),
  /** The pages that the screen may show now. */
  paginas: z.array(
    z.object({
      idTelaoPagina: z.number().int(),
      idRelatorio: z.number().int(),
      nomeRelatorio: z.string(),
      pagina: z.string().nullable(),
      tituloPagina: z.string().nullable(),
      segundos: z.number().int(),
    }),
  ),
  /** Portuguese: why no page is shown, when screens may not show these reports; null otherwise. */
  motivo: z.string().nullable(),
})
export type KioskRotation = z.infer<typeof KioskRotation>
export type KioskRotationPage = KioskRotation['paginas'][number]

const tag = 'Tela de um telão'
const anyone = callsOf({ tag, permission: 'public' })
const screen = callsOf({ tag, permission: 'kiosk:show' })

export const kioskScreenApi = {
  requestCode: anyone.post('/telao/codigo', 'Pede um código, que um ADMIN digita no cadastro do telão', {
    response: { 201: KioskPairing },
  }),
  awaitConnection: anyone.post('/telao/espera', 'Diz se um ADMIN já conectou a tela', {
    body: namedObject('KioskWait', { credencial: z.string().max(100) }),
    response: { 200: KioskPairingState },
  }),
  rotation: screen.get('/telao/rotacao', 'As páginas que a tela mostra; a tela pergunta a cada 5 segundos', {
    response: { 200: KioskRotation },
  }),
  embed: screen.post('/telao/paginas/:id/embed', 'Emite o token do relatório de uma página do telão', {
    response: { 200: EmbeddedReport },
  }),
  dataTime: screen.get('/telao/paginas/:id/dados', 'De quando são os dados de uma página do telão', {
    response: { 200: DataFreshness.pick({ atualizadosEm: true }) },
  }),
}
