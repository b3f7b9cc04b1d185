import { randomUUID } from 'node:crypto'
import { emptyPanelChoice } from '@bi-manager/contract'
import { effectiveIdentityOf } from '../../src/connections/power-bi/effective-identity.ts'
import { exportScope } from '../../src/reports/exports/export-order.ts'
import { createReport, grantReport } from '../reports.ts'
import type { Targets } from './call-targets.ts'
import type { GoodCall, GoodCalls } from './good-call.ts'

const params = ({ idRelatorio }: { idRelatorio: number }) => ({ id: idRelatorio })

/** Returns the same call for a granted report, and for one that only an ADMIN may see. */
const ofBoth = async (
  { granted, report }: Targets,
  call: (target: Targets['granted']) => GoodCall | Promise<GoodCall>,
): Promise<GoodCall[]> => [
  { when: 'granted', ...(await call(granted)) },
  { when: 'not granted', ...(await call(report)), ofUser: 403 },
]

const view = () => ({
  nome: randomUUID(),
  padrao: true,
  pagina: 'p1',
  filtros: emptyPanelChoice,
  marcador: 'x',
})

const savedView = async ({ app, caller }: Targets, { idRelatorio }: { idRelatorio: number }) => {
  const { idVisao } = await app.db
    .insertInto('visaoSalva')
    .values({
      idUsuario: caller.idUsuario,
      idRelatorio,
      nome: randomUUID(),
      pagina: null,
      filtros: '{}',
      marcador: null,
    })
    .returning('idVisao')
    .executeTakeFirstOrThrow()
  return { id: idRelatorio, idVisao }
}

/** Inserts an export that the provider has accepted. */
const acceptedExport = async (
  { app, caller, connection, workspace }: Targets,
  report: Targets['granted'],
) => {
  const idExportacao = randomUUID()
  const { idPowerBi, versao } = connection
  const scope = { ...report, groupId: workspace.idGrupo, idPowerBi, versao }
  const { emailUsuario } = caller
  const identity = effectiveIdentityOf(report, { emailUsuario, emailComprovado: true, identidadeRls: null })
  const { idRelatorio } = report
  await app.db
    .insertInto('exportacao')
    .values({
      idExportacao,
      idUsuario: caller.idUsuario,
      idRelatorio,
      formato: 'PDF',
      externo: 'PDF-1',
      alcance: app.services.secrets.digest(exportScope(scope, identity)),
      pedidaEm: new Date(),
      encerradaEm: new Date(),
    })
    .execute()
  return { id: idRelatorio, idExportacao }
}

/** Good calls of the viewer's per-user data; `every-call.ts` includes them. */
export const viewerCalls: GoodCalls = {
  'GET /usuarios/favoritos': () => [{ status: 200 }],
  'PUT /usuarios/favoritos/:id': (targets) =>
    ofBoth(targets, (report) => ({ params: params(report), status: 200 })),
  'DELETE /usuarios/favoritos/:id': ({ report }) => [{ params: params(report), status: 204 }],
  'PUT /usuarios/favoritos': ({ granted }) => [{ body: { ids: [granted.idRelatorio] }, status: 200 }],

  'GET /usuarios/relatorio/:id/dados': (targets) =>
    ofBoth(targets, (report) => ({ params: params(report), status: 200 })),

  'POST /usuarios/relatorio/:id/dados/atualizacoes': async ({ app, caller, granted, report }) => {
    const allow = ({ idRelatorio }: { idRelatorio: number }) =>
      app.db.insertInto('relatorioAtualizador').values({ idRelatorio, idUsuario: caller.idUsuario }).execute()
    await allow(granted)
    await allow(report)
    const other = await createReport(app, { idGrupoRelatorio: report.idGrupoRelatorio })
    await grantReport(app, caller.idUsuario, other.idRelatorio)
    return [
      { when: 'granted and allowed', params: params(granted), status: 204 },
      { when: 'allowed, not granted', params: params(report), status: 204, ofUser: 403 },
      { when: 'granted, not allowed', params: params(other), status: 204, ofUser: 403 },
    ]
  },

  'GET /usuarios/relatorio/:id/visoes': (targets) =>
    ofBoth(targets, (report) => ({ params: params(report), status: 200 })),
  'POST /usuarios/relatorio/:id/visoes': (targets) =>
    ofBoth(targets, (report) => ({ params: params(report), body: view(), status: 201 })),
  'PUT /usuarios/relatorio/:id/visoes/:idVisao': (targets) =>
    ofBoth(targets, async (report) => ({
      params: await savedView(targets, report),
      body: view(),
      status: 200,
    })),
  'DELETE /usuarios/relatorio/:id/visoes/:idVisao': (targets) =>
    ofBoth(targets, async (report) => ({ params: await savedView(targets, report), status: 204 })),

  'POST /usuarios/relatorio/:id/exportacao': async (targets) => {
    // The exports of earlier calls would use up the user's limit.
    const { app, caller } = targets
    await app.db.deleteFrom('exportacao').where('idUsuario', '=', caller.idUsuario).execute()
    const body = { formato: 'PNG', pagina: 'p1', filtros: { sexo: 'feminino' } }
    return ofBoth(targets, (report) => ({ params: params(report), body, status: 201 }))
  },
  'GET /usuarios/relatorio/:id/exportacao/:idExportacao': (targets) =>
    ofBoth(targets, async (report) => ({ params: await acceptedExport(targets, report), status: 200 })),
  'GET /usuarios/relatorio/:id/exportacao/:idExportacao/arquivo': (targets) =>
    ofBoth(targets, async (report) => ({ params: await acceptedExport(targets, report), status: 200 })),
  'DELETE /usuarios/relatorio/:id/exportacao/:idExportacao': (targets) =>
    ofBoth(targets, async (report) => ({ params: await acceptedExport(targets, report), status: 204 })),

  'POST /usuarios/relatorio/:id/uso': (targets) =>
    ofBoth(targets, (report) => ({
      params: params(report),
      body: { eventos: [{ tipo: 'pagina', nome: 'Resumo' }] },
      status: 204,
    })),
  'GET /usuarios/relatorio/:id/desempenho': ({ report }) => [
    { params: params(report), query: 'dias=90', status: 200 },
  ],
}
