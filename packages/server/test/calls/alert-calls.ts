import { encryptWebhook } from '../../src/distribution/alerts/webhook.ts'
import { alertDraft, createAlert, createEvaluation } from '../distribution/alerts.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../reports.ts'
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

/** The same call for an alert of the caller's, and for one of another person's. */
const ofAlerts =
  (call: Omit<GoodCall, 'params'>, ofOthers: Partial<GoodCall> = {}) =>
  async ({ app, caller, granted, person }: Targets): Promise<GoodCall[]> => {
    const { idRelatorio } = granted
    const own = await createAlert(app, { idRelatorio, idDono: caller.idUsuario })
    const other = await createAlert(app, { idRelatorio, idDono: person.idUsuario })
    await createEvaluation(app, { idAlerta: own.idAlerta })
    return [
      { when: 'own', params: { id: own.idAlerta }, ...call },
      { when: "another person's", params: { id: other.idAlerta }, ...call, ofUser: 404, ...ofOthers },
    ]
  }

const byQuery = alertDraft({
  origem: 'DAX',
  consulta: 'EVALUATE ROW("v", 1)',
  pagina: null,
  visual: null,
  coluna: null,
})

/** Good calls of alerts; `every-call.ts` includes them. */
export const alertCalls: GoodCalls = {
  'GET /usuarios/relatorio/:id/alertas/opcoes': (targets) => ofReports(targets, () => ({ status: 200 })),
  'POST /usuarios/relatorio/:id/alertas/visuais': async ({ app, caller }) => {
    const { idPowerBi } = await createConnection(app, { provedor: 'local' })
    const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
    const granted = await createReport(app, { idGrupoRelatorio })
    const report = await createReport(app, { idGrupoRelatorio })
    await grantReport(app, caller.idUsuario, granted.idRelatorio)
    return [
      { when: 'granted', params: { id: granted.idRelatorio }, body: {}, status: 200 },
      { when: 'not granted', params: { id: report.idRelatorio }, body: {}, status: 200, ofUser: 403 },
    ]
  },
  'POST /usuarios/relatorio/:id/alertas/consulta': (targets) =>
    ofReports(targets, () => ({ body: { consulta: 'EVALUATE ROW("v", 1)' }, status: 200 })),
  'GET /usuarios/relatorio/:id/alertas': (targets) => ofReports(targets, () => ({ status: 200 })),
  'POST /usuarios/relatorio/:id/alertas': ({ granted, report }) => [
    { when: 'granted', params: { id: granted.idRelatorio }, body: byQuery, status: 201, ofUser: 422 },
    { when: 'not granted', params: { id: report.idRelatorio }, body: byQuery, status: 201, ofUser: 403 },
  ],
  'GET /alertas/meus': () => [{ status: 200 }],
  'GET /alertas': () => [{ query: 'pagina=1&busca=custo&ordem=-valorEm', status: 200 }],
  'GET /alertas/:id': ofAlerts({ status: 200 }),
  'PUT /alertas/:id': ofAlerts({ body: byQuery, status: 200, ofUser: 422 }, { status: 403, ofUser: 404 }),
  'PUT /alertas/:id/ativo': ofAlerts({ body: { ativo: false }, status: 200 }),
  'DELETE /alertas/:id': ofAlerts({ status: 204 }),
  'GET /alertas/:id/avaliacoes': ofAlerts({ query: 'pagina=1', status: 200 }),
  'POST /alertas/:id/segredo': async ({ app, caller, granted, person }) => {
    const { idRelatorio } = granted
    const webhook = encryptWebhook(app.services.secrets, {
      endereco: 'https://exemplo.com.br/alerta',
      segredo: 'whsec_eA==',
    })
    const fields = { idRelatorio, webhook, hostWebhook: 'exemplo.com.br' }
    const own = await createAlert(app, { ...fields, idDono: caller.idUsuario })
    const other = await createAlert(app, { ...fields, idDono: person.idUsuario })
    return [
      { when: 'own', params: { id: own.idAlerta }, status: 200 },
      { when: "another person's", params: { id: other.idAlerta }, status: 403 },
    ]
  },
}
