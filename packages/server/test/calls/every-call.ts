import { randomUUID } from 'node:crypto'
import { createRequest } from '../access/access-requests.ts'
import { createAnnouncement } from '../distribution/announcements.ts'
import { grantReport } from '../reports.ts'
import { accountCalls } from './account-calls.ts'
import { alertCalls } from './alert-calls.ts'
import { apiKeyCalls } from './api-key-calls.ts'
import { issuedToken, type Targets } from './call-targets.ts'
import { capacityCalls } from './capacity-calls.ts'
import { catalogueCalls } from './catalogue-calls.ts'
import { clinicalCalls } from './clinical-calls.ts'
import { commentCalls } from './comment-calls.ts'
import { recordGoodCalls } from './entity-samples.ts'
import type { GoodCalls } from './good-call.ts'
import { guestCalls } from './guest-calls.ts'
import { kioskCalls } from './kiosk-calls.ts'
import { publishingCalls } from './publishing-calls.ts'
import { subscriptionCalls } from './subscription-calls.ts'
import { userCalls } from './user-calls.ts'
import { viewerCalls } from './viewer-calls.ts'

const addressOf = (
  { workspace }: Targets,
  { reportId, idRelatorio }: { reportId: string; idRelatorio: number },
) => ({ groupId: workspace.idGrupo, reportId, idRelatorio })

/** 4 × 2 pixels. */
const smallPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAYAAAB/qH1jAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEUlEQVQImWOoko9pQMYM6AIAxQ4LqetPVCoAAAAASUVORK5CYII='

/** Good calls by `METHOD url`. The permission matrix fails for an endpoint without one. */
export const goodCalls: GoodCalls = {
  'GET /portal': () => [{ status: 200 }],
  'GET /portal/logo/:marca': async ({ app }) => {
    const logoMarca = '0123456789abcdef'
    await app.db
      .updateTable('aparencia')
      .set({ logo: Buffer.from(smallPng, 'base64'), logoMarca, versao: 2 })
      .execute()
    return [{ params: { marca: logoMarca }, status: 200 }]
  },
  'GET /usuarios/menus': () => [{ status: 200 }],
  'GET /usuarios/menus/busca': () => [{ query: 'busca=a', status: 200 }],
  'GET /usuarios/menus/:idGrupoRelatorio': ({ workspace }) => [
    { params: { idGrupoRelatorio: workspace.idGrupoRelatorio }, status: 200 },
  ],
  'GET /usuarios/eventos': () => [{ status: 200 }],

  'POST /usuarios/relatorio/embed': (targets) => [
    { when: 'granted', body: addressOf(targets, targets.granted), status: 200 },
    { when: 'not granted', body: addressOf(targets, targets.report), status: 200, ofUser: 403 },
  ],
  'POST /usuarios/:idUsuario/ver-como': async (targets) => {
    const { app, person, granted } = targets
    await grantReport(app, person.idUsuario, granted.idRelatorio)
    return [{ params: { idUsuario: person.idUsuario }, body: addressOf(targets, granted), status: 200 }]
  },
  'POST /usuarios/relatorio/:id/visualizacao': async ({ app, caller, granted, report }) => {
    for (const { idRelatorio } of [granted, report]) await issuedToken(app, { ...caller, idRelatorio })
    return [granted, report].map(({ idRelatorio }) => ({
      when: idRelatorio === granted.idRelatorio ? 'granted' : 'not granted',
      params: { id: idRelatorio },
      body: { carregadoMs: 1, renderizadoMs: 2 },
      status: 204,
      ...(idRelatorio === granted.idRelatorio ? {} : { ofUser: 403 }),
    }))
  },
  'GET /usuarios/relatorio/:id/acesso': ({ granted, report }) => [
    { when: 'granted', params: { id: granted.idRelatorio }, status: 204 },
    { when: 'not granted', params: { id: report.idRelatorio }, status: 204, ofUser: 403 },
  ],

  'GET /notificacoes': () => [{ query: 'pagina=1&naoLidas=true', status: 200 }],
  'GET /notificacoes/resumo': () => [{ status: 200 }],
  'POST /notificacoes/lidas': () => [{ body: {}, status: 200 }],

  'GET /meus-avisos/:id': async ({ app }) => [
    { params: { id: (await createAnnouncement(app)).idAviso }, status: 200 },
  ],
  'POST /meus-avisos/:id/leitura': async ({ app }) => [
    { params: { id: (await createAnnouncement(app)).idAviso }, status: 204 },
  ],

  // An address that leads nowhere is answered like any other; an ADMIN sees every report.
  'POST /meus-pedidos-acesso': () => [
    { body: { groupId: randomUUID(), reportId: randomUUID(), motivo: 'Fechamento.' }, status: 201 },
  ],
  'GET /meus-pedidos-acesso': () => [{ status: 200 }],
  'GET /relatorios-sem-acesso': () => [{ query: 'busca=a', status: 200 }],
  'GET /pedidos-acesso': () => [{ query: 'pagina=1&situacao=ABERTO&busca=a', status: 200 }],
  'GET /pedidos-acesso/:id/perfis': async ({ app, person, report }) => [
    { params: { id: await createRequest(app, person, report) }, status: 200 },
  ],
  'POST /pedidos-acesso/:id/resposta': async ({ app, person, report }) => [
    { params: { id: await createRequest(app, person, report) }, body: { decisao: 'LIBERADO' }, status: 200 },
  ],

  'GET /sistema/situacao': () => [{ status: 200 }],
  'GET /sistema/primeiros-passos': () => [{ status: 200 }],
  'GET /sistema/atencao': () => [{ status: 200 }],
  'POST /sistema/teste-email': () => [{ status: 200 }],
  'GET /sistema/ambiente': () => [{ status: 200 }],
  'POST /sistema/ambiente/producao': () => [{ status: 200 }],
  'GET /configuracao/seguranca': () => [{ status: 200 }],
  'GET /configuracao/aparencia': () => [{ status: 200 }],
  'PUT /configuracao/aparencia': () => [{ body: { nome: 'Rede Horizonte', cor: '#7a1f5c' }, status: 200 }],
  'PUT /configuracao/seguranca': () => [{ body: { segundoFator: 'opcional' }, status: 200 }],

  'GET /auditoria': () => [
    { query: 'pagina=1', status: 200 },
    { when: 'of a kind and a period', query: 'objeto=workspace&de=2026-01-01&ate=2026-12-31', status: 200 },
  ],
  'GET /auditoria.csv': () => [{ status: 200 }],

  'GET /uso/resumo': () => [{ query: 'dias=365', status: 200 }],
  'GET /uso/resumo.csv': () => [{ status: 200 }],
  'GET /uso/lista': () => [{ query: 'por=perfil&ordem=-p95&pagina=1', status: 200 }],
  'GET /uso/lista.csv': () => [{ query: 'por=pessoa', status: 200 }],
  'GET /uso/sem-uso': () => [{ query: 'dias=60&pagina=1', status: 200 }],
  'GET /uso/sem-uso.csv': () => [{ status: 200 }],
  'GET /uso/nunca-entraram': () => [{ status: 200 }],
  'GET /uso/nunca-entraram.csv': () => [{ status: 200 }],
  'GET /uso/detalhes': () => [{ query: 'tipo=exportacao', status: 200 }],
  'GET /uso/detalhes.csv': () => [{ status: 200 }],
  'GET /uso/meu': () => [{ status: 200 }],
  'GET /uso/meu.csv': () => [{ status: 200 }],

  ...recordGoodCalls,
  ...accountCalls,
  ...apiKeyCalls,
  ...capacityCalls,
  ...guestCalls,
  ...kioskCalls,
  ...publishingCalls,
  ...subscriptionCalls,
  ...alertCalls,
  ...catalogueCalls,
  ...userCalls,
  ...clinicalCalls,
  ...viewerCalls,
  ...commentCalls,
}
