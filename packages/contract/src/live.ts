import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Event names of the stream; an event says that data has to be refetched. */
export const LIVE_EVENTS = ['acesso', 'notificacoes'] as const
export type LiveEvent = (typeof LIVE_EVENTS)[number]

export const liveApi = {
  stream: endpoint({
    method: 'GET',
    url: '/usuarios/eventos',
    permission: 'session:own',
    tag: 'Sessões',
    summary:
      'Fluxo de avisos (text/event-stream): `acesso`, quando muda o que a pessoa pode ver; `notificacoes`, quando há novas',
    contentType: 'text/event-stream',
    response: { 200: z.string() },
  }),
}
