import { randomUUID } from 'node:crypto'
import { signCommandCall } from '../../src/keys/command-call.ts'
import { tinyPng } from '../clinical/attachments.ts'
import type { Targets } from './call-targets.ts'
import type { GoodCalls } from './good-call.ts'

const pixel = tinyPng.then((bytes) => bytes.toString('base64'))

const connectionDraft = ({ person }: Targets) => ({
  nome: 'Conexão',
  username: 'principal',
  password: 'segredo',
  clienteId: person.idUsuario,
  idResponsavel: 1,
})
const workspaceDraft = ({ connection }: Targets) => ({
  nomeGrupo: 'Workspace',
  idGrupo: randomUUID(),
  idPowerBi: connection.idPowerBi,
})
const reportDraft = ({ workspace }: Targets) => ({
  idGrupoRelatorio: workspace.idGrupoRelatorio,
  nomeRelatorio: 'Relatório',
  operadoraRelatorio: 'CNU',
  reportId: randomUUID(),
})

/** Good calls of connections, workspaces, reports and pages. */
export const catalogueCalls: GoodCalls = {
  'GET /usuarios/powerbi': () => [{ query: 'pagina=1', status: 200 }],
  'GET /usuarios/powerbi.csv': () => [{ status: 200 }],
  'GET /usuarios/powerbi/:id': ({ connection }) => [{ params: { id: connection.idPowerBi }, status: 200 }],
  'POST /usuarios/powerbi': (targets) => [{ body: connectionDraft(targets), status: 201 }],
  'PUT /usuarios/powerbi/:id': (targets) => [
    { params: { id: targets.connection.idPowerBi }, body: connectionDraft(targets), status: 200 },
  ],
  'DELETE /usuarios/powerbi/:id': ({ unused }) => [{ params: { id: unused.idPowerBi }, status: 204 }],
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

  'GET /usuarios/workspace': () => [{ status: 200 }],
  'GET /usuarios/workspace.csv': () => [{ status: 200 }],
  'GET /usuarios/workspace/:id': ({ workspace }) => [
    { params: { id: workspace.idGrupoRelatorio }, status: 200 },
  ],
  'POST /usuarios/workspace': (targets) => [{ body: workspaceDraft(targets), status: 201 }],
  'PUT /usuarios/workspace/:id': (targets) => [
    { params: { id: targets.workspace.idGrupoRelatorio }, body: workspaceDraft(targets), status: 200 },
  ],
  'DELETE /usuarios/workspace/:id': ({ empty }) => [{ params: { id: empty.idGrupoRelatorio }, status: 204 }],
  'GET /grupo-permissao': () => [{ status: 200 }],
  'POST /usuarios/workspace/:id/relatorios': ({ workspace }) => [
    {
      params: { id: workspace.idGrupoRelatorio },
      body: { relatorios: [{ reportId: randomUUID(), nomeRelatorio: 'R', operadoraRelatorio: 'CNU' }] },
      status: 201,
    },
  ],

  'GET /usuarios/relatorio': () => [{ status: 200 }],
  'GET /usuarios/relatorio.csv': () => [{ status: 200 }],
  'GET /usuarios/relatorio/:id': ({ report }) => [{ params: { id: report.idRelatorio }, status: 200 }],
  'POST /usuarios/relatorio': (targets) => [{ body: reportDraft(targets), status: 201 }],
  'PUT /usuarios/relatorio/:id': (targets) => [
    { params: { id: targets.report.idRelatorio }, body: reportDraft(targets), status: 200 },
  ],
  'DELETE /usuarios/relatorio/:id': ({ report }) => [{ params: { id: report.idRelatorio }, status: 204 }],
  'GET /usuarios/relatorio/:id/logo': ({ granted }) => [{ params: { id: granted.idRelatorio }, status: 200 }],
  'PUT /usuarios/relatorio/:id/logo': async ({ report }) => [
    { params: { id: report.idRelatorio }, body: { imagem: await pixel }, status: 200 },
  ],
  'GET /usuarios/relatorio/:id/papeis': ({ report }) => [{ params: { id: report.idRelatorio }, status: 200 }],
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
