import { randomUUID } from 'node:crypto'
import { invitationToken } from '../../src/distribution/guests/invitation.ts'
import { dayOf } from '../../src/platform/lib/local-time.ts'
import { allowGuests, createGuest, sentLink } from '../distribution/guests.ts'
import type { Targets } from './call-targets.ts'
import type { GoodCalls } from './good-call.ts'

/** A guest whom an ADMIN has invited. */
const guestOf = async ({ app, report: { idRelatorio }, person }: Targets) => {
  const { idUsuario } = person
  await app.db
    .updateTable('usuario')
    .set({ tipoUsuario: 'ADMIN' })
    .where('idUsuario', '=', idUsuario)
    .execute()
  return createGuest(app, { idRelatorio, convidadoPor: idUsuario })
}

const ofGuest = async (targets: Targets) => [
  { params: { id: (await guestOf(targets)).idConvidado }, status: 200 },
]

const terms = ({ app }: Targets) => ({ ultimoDia: dayOf(app.services.now()), motivo: 'Fechamento' })

/** Good calls of guests; the matrix calls those of visits with a credential of its own. */
export const guestCalls: GoodCalls = {
  'GET /convidados': () => [{ query: 'ordem=-ultimaVisita&pagina=1', status: 200 }],
  'GET /convidados/:id': ofGuest,
  'POST /convidados': async (targets) => {
    await allowGuests(targets.app)
    const person = { emailConvidado: `${randomUUID()}@exemplo.com.br` }
    const { idRelatorio } = targets.report
    return [{ body: { ...person, idRelatorio, ...terms(targets) }, status: 201 }]
  },
  'PUT /convidados/:id': async (targets) => {
    const [call] = await ofGuest(targets)
    return call ? [{ ...call, body: terms(targets) }] : []
  },
  'POST /convidados/:id/convite': ofGuest,
  'POST /convidados/:id/revogar': ofGuest,
  'POST /convidados/revogar': async (targets) => {
    await guestOf(targets)
    return [{ status: 200 }]
  },
  'GET /configuracao/convidados': () => [{ status: 200 }],
  'PUT /configuracao/convidados': () => [
    { body: { ligado: true, diasMaximos: 30, dominios: [], redes: [] }, status: 200 },
  ],
  'POST /visita/pedido': async (targets) => {
    const { idConvidado } = await guestOf(targets)
    return [{ body: { convite: invitationToken(targets.app.services.secrets, idConvidado) }, status: 200 }]
  },
  'POST /visita/entrada': async (targets) => [
    { body: { token: await sentLink(targets.app, await guestOf(targets)) }, status: 201 },
  ],
  'GET /visita': () => [{ status: 200 }],
  'POST /visita/relatorio': () => [{ status: 200 }],
  'POST /visita/sair': () => [{ status: 204 }],
}
