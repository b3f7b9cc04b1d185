import { callsOf } from '../calls/endpoint.ts'

/** Event names of the stream; an event says that data has to be refetched. */
export const LIVE_EVENTS = ['acesso', 'notificacoes', 'comentarios'] as const
export type LiveEvent = (typeof LIVE_EVENTS)[number]

const { get } = callsOf({ tag: 'Sessões', permission: 'session:own' })

export const liveApi = {
  stream: get(
    '/usuarios/eventos',
    'Fluxo de avisos (text/event-stream): `acesso`, quando muda o que a pessoa pode ver; `notificacoes`, quando há novas; `comentarios`, quando há novos em algum relatório',
    { contentType: 'text/event-stream' },
  ),
}
