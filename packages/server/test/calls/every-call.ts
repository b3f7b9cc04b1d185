import { randomUUID } from 'node:crypto'
import {
  accountsApi,
  activityApi,
  attachmentsApi,
  auditApi,
  beneficiariesApi,
  connectionsApi,
  dataProtectionApi,
  type Endpoint,
  environmentApi,
  favoritesApi,
  grantsApi,
  liveApi,
  medicalRecordsApi,
  menusApi,
  notificationsApi,
  oidcApi,
  ownSessionsApi,
  pagesApi,
  portalApi,
  profilesApi,
  reportExportsApi,
  reportPerformanceApi,
  reportRecordsApi,
  reportRolesApi,
  reportsApi,
  responsiblesApi,
  savedViewsApi,
  secondFactorApi,
  securitySettingsApi,
  sessionsApi,
  systemStatusApi,
  usersApi,
  workspacesApi,
} from '@bi-manager/contract'
import { createLink } from '../../src/auth/account-links.ts'
import { signCommandCall } from '../../src/keys/command-call.ts'
import { tinyPng } from '../clinical/attachments.ts'
import { codeNow, giveSecondFactor } from '../second-factor.ts'
import { cheapPasswordHash, password } from '../users.ts'
import { issuedToken, openedSession, type Targets } from './call-targets.ts'
import { clinicalCalls } from './clinical-calls.ts'
import { viewerCalls } from './viewer-calls.ts'

/** All endpoints of the API. */
export const endpoints: Endpoint[] = [
  sessionsApi,
  oidcApi,
  accountsApi,
  ownSessionsApi,
  activityApi,
  portalApi,
  menusApi,
  reportsApi,
  favoritesApi,
  savedViewsApi,
  reportExportsApi,
  reportPerformanceApi,
  connectionsApi,
  responsiblesApi,
  workspacesApi,
  reportRecordsApi,
  reportRolesApi,
  usersApi,
  grantsApi,
  profilesApi,
  pagesApi,
  liveApi,
  notificationsApi,
  secondFactorApi,
  securitySettingsApi,
  systemStatusApi,
  environmentApi,
  auditApi,
  beneficiariesApi,
  medicalRecordsApi,
  attachmentsApi,
  dataProtectionApi,
].flatMap((api): Endpoint[] => Object.values(api))

export interface GoodCall {
  /** Distinguishes several calls of one endpoint. */
  when?: string
  params?: Record<string, string | number>
  query?: string
  body?: unknown
  /** For an endpoint with `file`. */
  file?: Buffer
  /** The exact status for a caller with the permission. */
  status: number
  /** The exact status for a USER, when it depends on the target. */
  ofUser?: number
}

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
const importRows = () => ({
  linhas: [
    {
      linha: 2,
      nomeUsuario: `Nova Pessoa ${randomUUID()}`,
      emailUsuario: `${randomUUID()}@exemplo.com.br`,
      senhaUsuario: password,
    },
  ],
})
const addressOf = (
  { workspace }: Targets,
  { reportId, idRelatorio }: { reportId: string; idRelatorio: number },
) => ({ groupId: workspace.idGrupo, reportId, idRelatorio })

/** Good calls by `METHOD url`. The permission matrix fails for an endpoint without one. */
export const goodCalls: Record<string, (targets: Targets) => GoodCall[] | Promise<GoodCall[]>> = {
  'POST /usuarios/authorizer': ({ caller }) => [
    { body: { username: caller.emailUsuario, password }, status: 200 },
  ],
  'POST /usuarios/sair': () => [{ status: 204 }],
  'GET /usuarios/sessao': () => [{ status: 200 }],
  'POST /faleconosco/': () => [
    {
      body: { nome: `Nova Pessoa ${randomUUID()}`, email: `${randomUUID()}@exemplo.com.br`, password },
      status: 202,
    },
  ],
  'POST /login/recuperar-senha': ({ caller }) => [{ body: { email: caller.emailUsuario }, status: 202 }],
  'POST /login/verificar-link': ({ link }) => [{ body: { token: link }, status: 200 }],
  'POST /login/confirmar-email': async ({ app, unconfirmed: { idUsuario } }) => [
    {
      body: {
        token: await createLink(app.db, app.services, { idUsuario, tipo: 'confirmacao' }),
        password,
      },
      status: 200,
    },
  ],
  'POST /login/recusar-cadastro': async ({ app, unconfirmed: { idUsuario } }) => [
    {
      body: { token: await createLink(app.db, app.services, { idUsuario, tipo: 'confirmacao' }) },
      status: 204,
    },
  ],
  'POST /login/redefinir-senha': ({ link }) => [
    { body: { token: link, novaSenha: `Nova ${randomUUID()}` }, status: 204 },
  ],
  'POST /login/RecoveryPassword': ({ person }) => [
    {
      body: {
        senhaAtual: person.password,
        novaSenha: `Outra ${randomUUID()}`,
        loginUsuario: person.emailUsuario,
      },
      status: 204,
    },
  ],
  'PUT /usuario/mudarsenha/:idUsuario': ({ person, caller }) => [
    {
      when: 'oneself',
      params: { idUsuario: caller.idUsuario },
      body: { senha: `Nova ${randomUUID()}` },
      status: 204,
    },
    {
      when: 'another',
      params: { idUsuario: person.idUsuario },
      body: { senha: `Nova ${randomUUID()}` },
      status: 403,
    },
  ],
  'PUT /conta': () => [{ body: { nomeUsuario: `Outro nome ${randomUUID()}` }, status: 200 }],
  'GET /conta/sessoes': () => [{ status: 200 }],
  'DELETE /conta/sessoes': () => [{ status: 200 }],
  'DELETE /conta/sessoes/:idSessao': async ({ app, caller, person }) => [
    { when: 'one’s own', params: { idSessao: await openedSession(app, caller) }, status: 204 },
    { when: 'another’s', params: { idSessao: await openedSession(app, person) }, status: 404 },
  ],
  'GET /conta/confirmacao': () => [{ status: 200 }],
  'POST /conta/confirmacao': async ({ app, caller }) => {
    // Another call may have changed the password.
    const senhaHash = await cheapPasswordHash
    await app.db.updateTable('usuario').set({ senhaHash }).where('idUsuario', '=', caller.idUsuario).execute()
    return [{ body: { senha: password }, status: 204 }]
  },
  'GET /login/usuario-atividade': () => [{ status: 200 }],
  // With a provider they answer 200: oidc.routes.test.ts.
  'POST /login/oidc/inicio': () => [{ when: 'no provider', status: 404 }],
  'POST /login/oidc': () => [
    {
      when: 'no provider',
      body: { retorno: 'code=1', estado: 'e', nonce: 'n', verificador: 'v' },
      status: 404,
    },
  ],
  'GET /portal': () => [{ status: 200 }],
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

  'GET /usuarios': () => [{ query: 'pagina=1', status: 200 }],
  'GET /usuarios.csv': () => [{ query: 'busca=zzz', status: 200 }],
  'GET /usuarios/:id': ({ person, caller }) => [
    { when: 'oneself', params: { id: caller.idUsuario }, status: 200 },
    { when: 'another', params: { id: person.idUsuario }, status: 200, ofUser: 403 },
  ],
  'POST /usuarios': () => [{ body: { ...importRows().linhas[0] }, status: 201 }],
  'PUT /usuarios/:id': ({ person }) => [
    {
      params: { id: person.idUsuario },
      body: { nomeUsuario: `Outro ${randomUUID()}`, emailUsuario: person.emailUsuario },
      status: 200,
    },
  ],
  'DELETE /usuarios/:id': ({ person }) => [{ params: { id: person.idUsuario }, status: 204 }],
  'POST /usuarios/convites': () => [
    {
      body: { nomeUsuario: `Convidada ${randomUUID()}`, emailUsuario: `${randomUUID()}@exemplo.com.br` },
      status: 202,
    },
  ],
  'POST /usuarios/:id/aprovar': ({ pending, idPerfil }) => [
    { params: { id: pending.idUsuario }, body: { idPerfis: [idPerfil] }, status: 204 },
  ],
  'POST /usuarios/:id/convidar': ({ unconfirmed, idPerfil }) => [
    { params: { id: unconfirmed.idUsuario }, body: { idPerfis: [idPerfil] }, status: 202 },
  ],
  'POST /usuarios/:id/recusar': ({ pending }) => [{ params: { id: pending.idUsuario }, status: 204 }],
  'POST /usuarios/importacao/previa': () => [{ body: importRows(), status: 200 }],
  'POST /usuarios/importacao': () => [{ body: importRows(), status: 201 }],

  'GET /usuarios/relatorio-usuario': () => [{ status: 200 }],
  'GET /usuarios/relatorio-usuario/:idUsuario': ({ person, caller }) => [
    { when: 'one’s own', params: { idUsuario: caller.idUsuario }, status: 200 },
    { when: 'another’s', params: { idUsuario: person.idUsuario }, status: 200, ofUser: 403 },
  ],
  'GET /usuarios/relatorio-usuario/:idUsuario/:idGrupoRelatorio': ({ person, workspace }) => [
    {
      params: { idUsuario: person.idUsuario, idGrupoRelatorio: workspace.idGrupoRelatorio },
      status: 200,
    },
  ],
  'POST /usuarios/relatorio-usuario': ({ person, report }) => [
    { body: { idUsuario: person.idUsuario, idRelatorio: report.idRelatorio }, status: 201 },
  ],
  'DELETE /usuarios/relatorio-usuario/:idUsuario': ({ person }) => [
    { params: { idUsuario: person.idUsuario }, status: 204 },
  ],
  'PUT /usuarios/relatorio-usuario/:idUsuario': ({ person, report }) => [
    {
      params: { idUsuario: person.idUsuario },
      body: { idRelatorios: [report.idRelatorio] },
      status: 200,
    },
  ],
  'GET /usuarios/:idUsuario/acesso/:idRelatorio': ({ person, report }) => [
    { params: { idUsuario: person.idUsuario, idRelatorio: report.idRelatorio }, status: 200 },
  ],
  'GET /usuarios/:idUsuario/menus': ({ person }) => [
    { params: { idUsuario: person.idUsuario }, status: 200 },
  ],
  'GET /usuarios/:idUsuario/menus/:idGrupoRelatorio': ({ person, workspace }) => [
    {
      params: { idUsuario: person.idUsuario, idGrupoRelatorio: workspace.idGrupoRelatorio },
      status: 200,
    },
  ],

  'GET /perfis': () => [{ status: 200 }],
  'GET /perfis/:id': ({ idPerfil }) => [{ params: { id: idPerfil }, status: 200 }],
  'POST /perfis': () => [{ body: { nomePerfil: randomUUID() }, status: 201 }],
  'PUT /perfis/:id': ({ idPerfil }) => [
    { params: { id: idPerfil }, body: { nomePerfil: randomUUID() }, status: 200 },
  ],
  'DELETE /perfis/:id': ({ idPerfil }) => [{ params: { id: idPerfil }, status: 204 }],
  'GET /perfis/:id/relatorios': ({ idPerfil }) => [{ params: { id: idPerfil }, status: 200 }],
  'GET /perfis/:id/relatorios/:idGrupoRelatorio': ({ idPerfil, workspace }) => [
    { params: { id: idPerfil, idGrupoRelatorio: workspace.idGrupoRelatorio }, status: 200 },
  ],
  'PUT /perfis/:id/relatorios': ({ idPerfil, report }) => [
    { params: { id: idPerfil }, body: { idRelatorios: [report.idRelatorio] }, status: 200 },
  ],
  'GET /perfis/:id/membros': ({ idPerfil }) => [{ params: { id: idPerfil }, status: 200 }],
  'PUT /perfis/:id/membros': ({ idPerfil, person }) => [
    { params: { id: idPerfil }, body: { adicionar: [person.idUsuario] }, status: 200 },
  ],

  'GET /notificacoes': () => [{ query: 'pagina=1&naoLidas=true', status: 200 }],
  'GET /notificacoes/resumo': () => [{ status: 200 }],
  'POST /notificacoes/lidas': () => [{ body: {}, status: 200 }],

  'GET /paginas': () => [{ status: 200 }],
  'GET /paginas/:rota': () => [{ params: { rota: 'analise' }, status: 200 }],
  'PUT /paginas/:rota': ({ report }) => [
    { params: { rota: 'analise' }, body: { idRelatorio: report.idRelatorio }, status: 200 },
  ],

  'GET /conta/segundo-fator': () => [{ status: 200 }],
  'POST /conta/segundo-fator': () => [{ body: {}, status: 200 }],
  'POST /conta/segundo-fator/confirmar': async ({ app, caller }) => {
    const { secret } = await giveSecondFactor(app, caller.idUsuario, { isPending: true })
    return [{ body: { codigo: codeNow(app, secret) }, status: 200 }]
  },
  'POST /conta/segundo-fator/codigos': async ({ app, caller }) => {
    const { secret } = await giveSecondFactor(app, caller.idUsuario)
    return [{ body: { codigo: codeNow(app, secret) }, status: 200 }]
  },
  'POST /conta/segundo-fator/desativar': async ({ app, caller }) => {
    const { secret } = await giveSecondFactor(app, caller.idUsuario)
    return [{ body: { codigo: codeNow(app, secret) }, status: 204 }]
  },
  'POST /login/remover-segundo-fator': async ({ app, person: { idUsuario } }) => {
    await giveSecondFactor(app, idUsuario)
    const token = await createLink(app.db, app.services, { idUsuario, tipo: 'segundo_fator' })
    return [{ body: { token }, status: 204 }]
  },
  'POST /usuarios/:id/segundo-fator/redefinir': async ({ app, person }) => {
    await giveSecondFactor(app, person.idUsuario)
    return [{ params: { id: person.idUsuario }, status: 204 }]
  },
  'POST /usuarios/:id/provedor/desligar': async ({ app, person: { idUsuario } }) => {
    const identity = { emissor: 'https://e', sujeito: String(idUsuario), ligadaEm: new Date() }
    await app.db
      .insertInto('identidadeExterna')
      .values({ ...identity, idUsuario })
      .execute()
    return [{ params: { id: idUsuario }, status: 204 }]
  },
  'GET /sistema/situacao': () => [{ status: 200 }],
  'POST /sistema/teste-email': () => [{ status: 200 }],
  'GET /sistema/ambiente': () => [{ status: 200 }],
  'POST /sistema/ambiente/producao': () => [{ status: 200 }],
  'GET /configuracao/seguranca': () => [{ status: 200 }],
  'PUT /configuracao/seguranca': () => [{ body: { segundoFator: 'opcional' }, status: 200 }],

  'GET /auditoria': () => [
    { query: 'pagina=1', status: 200 },
    { when: 'of a kind and a period', query: 'objeto=workspace&de=2026-01-01&ate=2026-12-31', status: 200 },
  ],
  'GET /auditoria.csv': () => [{ status: 200 }],

  ...clinicalCalls,
  ...viewerCalls,
}
