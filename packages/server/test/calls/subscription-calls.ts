import { unsubscribeToken } from '../../src/distribution/subscriptions/recipients/unsubscribe-token.ts'
import { createRun, createSubscription, subscriptionDraft } from '../distribution/subscriptions.ts'
import type { Targets } from './call-targets.ts'
import type { GoodCall, GoodCalls } from './good-call.ts'

type Report = Targets['granted']

const ofReports = (
  { granted, report }: Targets,
  call: (target: Report) => Omit<GoodCall, 'params'>,
): GoodCall[] => [
  { when: 'granted', params: { id: granted.idRelatorio }, ...call(granted) },
  { when: 'not granted', params: { id: report.idRelatorio }, ...call(report), ofUser: 403 },
]

/** The same call for a subscription of the caller's, and for one of another person's. */
const ofSubscriptions =
  (call: (id: number, targets: Targets) => Omit<GoodCall, 'params'> | Promise<Omit<GoodCall, 'params'>>) =>
  async (targets: Targets): Promise<GoodCall[]> => {
    const { app, caller, granted, person } = targets
    const { idRelatorio } = granted
    const own = await createSubscription(app, { idRelatorio, idDono: caller.idUsuario })
    const other = await createSubscription(app, { idRelatorio, idDono: person.idUsuario })
    return [
      { when: 'own', params: { id: own.idAssinatura }, ...(await call(own.idAssinatura, targets)) },
      {
        when: "another person's",
        params: { id: other.idAssinatura },
        ...(await call(other.idAssinatura, targets)),
        ofUser: 404,
      },
    ]
  }

/** Of a subscription that another person has made for the caller. */
const received =
  (status: number) =>
  async ({ app, caller, granted, person }: Targets): Promise<GoodCall[]> => {
    const fields = { idRelatorio: granted.idRelatorio, idDono: person.idUsuario }
    const { idAssinatura } = await createSubscription(app, fields, [caller.idUsuario])
    return [{ params: { id: idAssinatura }, status }]
  }

const linked =
  (status: number) =>
  async ({ app, granted, person }: Targets): Promise<GoodCall[]> => {
    const { idUsuario } = person
    const fields = { idRelatorio: granted.idRelatorio, idDono: idUsuario }
    const { idAssinatura } = await createSubscription(app, fields)
    const token = unsubscribeToken(app.services.secrets, { idAssinatura, idUsuario })
    return [{ query: `token=${token}`, status }]
  }

/** Good calls of subscriptions; `every-call.ts` includes them. */
export const subscriptionCalls: GoodCalls = {
  'GET /usuarios/relatorio/:id/assinaturas/opcoes': (targets) => ofReports(targets, () => ({ status: 200 })),
  'GET /usuarios/relatorio/:id/assinaturas': (targets) => ofReports(targets, () => ({ status: 200 })),
  'POST /usuarios/relatorio/:id/assinaturas': (targets) =>
    ofReports(targets, () => ({ body: subscriptionDraft(), status: 201 })),
  'GET /usuarios/relatorio/:id/assinaturas/:idAssinatura/escolha': async ({
    app,
    caller,
    granted,
    report,
  }) => {
    const callOf = async (idRelatorio: number) => {
      const { idAssinatura } = await createSubscription(app, { idRelatorio, idDono: caller.idUsuario })
      return { params: { id: idRelatorio, idAssinatura }, status: 200 }
    }
    return [
      { when: 'granted', ...(await callOf(granted.idRelatorio)) },
      { when: 'not granted', ...(await callOf(report.idRelatorio)), ofUser: 403 },
    ]
  },
  'GET /assinaturas/minhas': () => [{ status: 200 }],
  'GET /assinaturas/recebidas': () => [{ status: 200 }],
  'GET /assinaturas': () => [{ query: 'pagina=1&busca=custos&ordem=-proximaEm', status: 200 }],
  'GET /assinaturas/:id': ofSubscriptions(() => ({ status: 200 })),
  'PUT /assinaturas/:id': ofSubscriptions(() => ({ body: subscriptionDraft(), status: 200 })),
  'PUT /assinaturas/:id/ativa': ofSubscriptions(() => ({ body: { ativa: false }, status: 200 })),
  'DELETE /assinaturas/:id': ofSubscriptions(() => ({ status: 204 })),
  'POST /assinaturas/:id/teste': ofSubscriptions(() => ({ status: 201 })),
  'GET /assinaturas/:id/execucoes': ofSubscriptions(() => ({ query: 'pagina=1', status: 200 })),
  'GET /assinaturas/:id/execucoes/:idExecucao/entregas': async (targets) => {
    const calls = await ofSubscriptions(() => ({ status: 200 }))(targets)
    return Promise.all(
      calls.map(async (call) => {
        const { id = 0 } = call.params ?? {}
        const { idExecucao } = await createRun(targets.app, { idAssinatura: Number(id) })
        return { ...call, params: { id, idExecucao } }
      }),
    )
  },
  'POST /assinaturas/:id/saida': received(204),
  'DELETE /assinaturas/:id/saida': received(204),
  'GET /assinaturas/cancelamento': linked(200),
  'POST /assinaturas/cancelamento': linked(204),
  'GET /conta/senha-pdf': () => [{ status: 200 }],
  'PUT /conta/senha-pdf': () => [{ body: { senha: 'Uma senha 7' }, status: 200 }],
  'DELETE /conta/senha-pdf': () => [{ status: 204 }],
  'GET /configuracao/assinaturas': () => [{ status: 200 }],
  'PUT /configuracao/assinaturas': () => [
    { body: { dominios: ['exemplo.com.br'], anexosRestritos: false, anexoMb: 8 }, status: 200 },
  ],
}
