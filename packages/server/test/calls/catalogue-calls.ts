import { randomUUID } from 'node:crypto'
import { signCommandCall } from '../../src/platform/commands/command-call.ts'
import { tinyPng } from '../clinical/attachments.ts'
import type { GoodCalls } from './good-call.ts'

const pixel = tinyPng.then((bytes) => bytes.toString('base64'))

/** Good calls of connections, workspaces, reports and pages. */
export const catalogueCalls: GoodCalls = {
  'POST /usuarios/powerbi/:id/testar': ({ connection }) => [
    { params: { id: connection.idPowerBi }, status: 200 },
  ],
  'GET /usuarios/powerbi/:id/grupos': ({ connection }) => [
    { params: { id: connection.idPowerBi }, status: 200 },
  ],
  'GET /usuarios/powerbi/:id/grupos/:idGrupo/relatorios': ({ connection, workspace }) => [
    { params: { id: connection.idPowerBi, idGrupo: workspace.idGrupo }, status: 200 },
  ],
  'GET /responsavel': () => [{ status: 200 }],
  'POST /responsavel': () => [{ body: { nomeResponsavel: randomUUID() }, status: 201 }],

  'GET /grupo-permissao': () => [{ status: 200 }],
  'POST /usuarios/workspace/:id/relatorios': ({ workspace }) => [
    {
      params: { id: workspace.idGrupoRelatorio },
      body: { relatorios: [{ reportId: randomUUID(), nomeRelatorio: 'R', operadoraRelatorio: 'CNU' }] },
      status: 201,
    },
  ],

  'GET /usuarios/relatorio/operadoras': () => [{ status: 200 }],
  'GET /usuarios/relatorio/:id/logo': ({ granted }) => [{ params: { id: granted.idRelatorio }, status: 200 }],
  'PUT /usuarios/relatorio/:id/logo': async ({ report }) => [
    { params: { id: report.idRelatorio }, body: { imagem: await pixel }, status: 200 },
  ],
  'GET /usuarios/relatorio/:id/papeis': ({ report }) => [{ params: { id: report.idRelatorio }, status: 200 }],
  'GET /usuarios/relatorio/:id/dados/atualizacoes': ({ report }) => [
    { params: { id: report.idRelatorio }, status: 200 },
  ],
  'GET /usuarios/relatorio/:id/dados/agenda': ({ report }) => [
    { params: { id: report.idRelatorio }, status: 200 },
  ],
  'GET /usuarios/relatorio/:id/dados/autorizados': ({ report }) => [
    { params: { id: report.idRelatorio }, status: 200 },
  ],
  'PUT /usuarios/relatorio/:id/dados/autorizados/:idUsuario': ({ report, person }) => [
    { params: { id: report.idRelatorio, idUsuario: person.idUsuario }, status: 204 },
  ],
  'DELETE /usuarios/relatorio/:id/dados/autorizados/:idUsuario': ({ report, person }) => [
    { params: { id: report.idRelatorio, idUsuario: person.idUsuario }, status: 204 },
  ],
  'POST /usuarios/relatorio/sem-papeis': ({ app, report }) => [
    { body: signCommandCall(app.services.secrets, [report.reportId], app.services.now()), status: 200 },
  ],
  'DELETE /usuarios/relatorio/:id/logo': ({ granted }) => [
    { params: { id: granted.idRelatorio }, status: 204 },
  ],

  'GET /paginas': () => [{ status: 200 }],
  'GET /paginas/:rota': () => [{ params: { rota: 'analise' }, status: 200 }],
  'PUT /paginas/:rota': ({ report }) => [
    { params: { rota: 'analise' }, body: { idRelatorio: report.idRelatorio }, status: 200 },
  ],
}
