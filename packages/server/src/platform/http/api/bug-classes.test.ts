import { randomUUID } from 'node:crypto'
import { can } from '@bi-manager/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../../test/calls/endpoints.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../../test/reports.ts'
import { startProvider } from '../../../../test/stand-ins/provider-stand-in.ts'
import type { TestApp } from '../../../../test/test-app.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser, password } from '../../../../test/users.ts'
import { buildApp } from '../../../app.ts'

/*
 * One test for each class of mistake found in comparable products, with the advisory it is taken
 * from. Those about addresses are in hostile-addresses.test.ts, the one about suspended accounts in
 * suspended-people.test.ts.
 */

type Session = Awaited<ReturnType<TestApp['as']>>

let provider: Awaited<ReturnType<typeof startProvider>>
let admin: Session
let person: Awaited<ReturnType<typeof createUser>>
let stranger: Awaited<ReturnType<typeof createUser>>
let own: Session
/** Workspaces and reports that the tests use; `person` is granted `mine` alone. */
let scene: Awaited<ReturnType<typeof setScene>>

const setScene = async () => {
  const { idPowerBi } = await createConnection(app)
  const [here, there] = [await createWorkspace(app, { idPowerBi }), await createWorkspace(app, { idPowerBi })]
  const report = (workspace: typeof here) =>
    createReport(app, { idGrupoRelatorio: workspace.idGrupoRelatorio })
  const [mine, beside, elsewhere] = [await report(here), await report(here), await report(there)]
  await grantReport(app, person.idUsuario, mine.idRelatorio)
  await grantReport(app, stranger.idUsuario, elsewhere.idRelatorio)
  return { idPowerBi, here, there, mine, beside, elsewhere }
}

beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(
  () => ({
    ...provider.settings,
    RATE_LIMIT_PER_MINUTE: '1000000',
  }),
  { resets: false },
)
beforeAll(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  person = await createUser(app)
  stranger = await createUser(app)
  own = await app.as(person)
  scene = await setScene()
})

const embed = (
  session: Session,
  workspace: { idGrupo: string },
  { reportId, idRelatorio }: { reportId: string; idRelatorio: number },
) => session.post('/usuarios/relatorio/embed', { groupId: workspace.idGrupo, reportId, idRelatorio })

describe('the action is checked but not its target (Grafana CVE-2024-1313)', () => {
  test('a grant on one report opens no other report, and no part of another', async () => {
    const { here, there, mine, beside, elsewhere } = scene
    expect((await embed(own, here, mine)).status).toBe(200)
    for (const [workspace, report] of [[here, beside] as const, [there, elsewhere] as const]) {
      expect((await embed(own, workspace, report)).status).toBe(403)
      const { idRelatorio } = report
      expect((await own.get(`/usuarios/relatorio/${idRelatorio}/acesso`)).status).toBe(403)
      const view = { carregadoMs: 1, renderizadoMs: 1 }
      expect((await own.post(`/usuarios/relatorio/${idRelatorio}/visualizacao`, view)).status).toBe(403)
      expect([403, 404]).toContain((await own.get(`/usuarios/relatorio/${idRelatorio}/logo`)).status)
    }
  })

  test('the portal refuses a request that mixes the ids of two targets', async () => {
    const { here, there, mine, elsewhere } = scene
    const mixed = [
      { groupId: here.idGrupo, reportId: elsewhere.reportId, idRelatorio: mine.idRelatorio },
      { groupId: there.idGrupo, reportId: mine.reportId, idRelatorio: mine.idRelatorio },
      { groupId: here.idGrupo, reportId: mine.reportId, idRelatorio: elsewhere.idRelatorio },
      { groupId: there.idGrupo, reportId: elsewhere.reportId, idRelatorio: mine.idRelatorio },
    ]
    for (const body of mixed) {
      const { status, body: answer } = await own.post('/usuarios/relatorio/embed', body)
      expect(status, JSON.stringify(body)).toBe(403)
      expect(answer).not.toHaveProperty('embedToken')
    }
  })

  test('the portal refuses to let a USER read or change another account as their own', async () => {
    const { idUsuario } = stranger
    expect((await own.get(`/usuarios/${idUsuario}`)).status).toBe(403)
    expect((await own.get(`/usuarios/relatorio-usuario/${idUsuario}`)).status).toBe(403)
    const change = { id: person.idUsuario, senha: 'Uma senha nova, tomada 7' }
    expect((await own.put(`/usuario/mudarsenha/${idUsuario}`, change)).status).toBe(403)
    await app.as(stranger)
  })
})

describe('creation is checked, the update is not (Superset CVE-2026-23982)', () => {
  const bad: [string, () => { url: string; id: number; good: object; bad: object }][] = [
    [
      'a malformed filter',
      () => ({
        url: '/usuarios/relatorio',
        id: scene.mine.idRelatorio,
        good: {
          idGrupoRelatorio: scene.here.idGrupoRelatorio,
          nomeRelatorio: 'R',
          operadoraRelatorio: 'CNU',
          reportId: randomUUID(),
        },
        bad: { filtro: "T/c eq 'a' or 1 eq 1" },
      }),
    ],
    [
      'a workspace that does not exist',
      () => ({
        url: '/usuarios/relatorio',
        id: scene.mine.idRelatorio,
        good: { nomeRelatorio: 'R', operadoraRelatorio: 'CNU', reportId: randomUUID() },
        bad: { idGrupoRelatorio: 2_000_000_000 },
      }),
    ],
    [
      'a connection that does not exist',
      () => ({
        url: '/usuarios/workspace',
        id: scene.here.idGrupoRelatorio,
        good: { nomeGrupo: 'W', idGrupo: randomUUID() },
        bad: { idPowerBi: 2_000_000_000 },
      }),
    ],
    [
      'an unknown provider',
      () => ({
        url: '/usuarios/powerbi',
        id: scene.idPowerBi,
        good: {
          nome: 'C',
          username: 'u',
          password: 'segredo',
          clienteId: person.idUsuario,
          idResponsavel: 1,
        },
        bad: { provedor: 'http://atacante.exemplo' },
      }),
    ],
    [
      'a malformed e-mail',
      () => ({
        url: '/usuarios',
        id: stranger.idUsuario,
        good: { nomeUsuario: 'N', emailUsuario: stranger.emailUsuario, senhaUsuario: password },
        bad: { emailUsuario: 'sem-arroba' },
      }),
    ],
    [
      'a password that is too short',
      () => ({
        url: '/usuarios',
        id: stranger.idUsuario,
        good: { nomeUsuario: 'N', emailUsuario: stranger.emailUsuario },
        bad: { senhaUsuario: '123' },
      }),
    ],
    [
      'a common password',
      () => ({
        url: '/usuarios',
        id: stranger.idUsuario,
        good: { nomeUsuario: 'N', emailUsuario: `${randomUUID()}@exemplo.com.br` },
        bad: { senhaUsuario: 'mudar123' },
      }),
    ],
  ]
  test.each(bad)('create and update both refuse %s', async (_name, make) => {
    const { url, id, good, bad } = make()
    const [created, updated] = [
      await admin.post(url, { ...good, ...bad }),
      await admin.put(`${url}/${id}`, { ...good, ...bad }),
    ]
    expect(created.status, JSON.stringify(created.body)).toBeGreaterThanOrEqual(400)
    expect(created.status).toBeLessThan(500)
    expect([updated.status, updated.body.codigo]).toEqual([created.status, created.body.codigo])
    expect(Object.keys(updated.body.campos ?? {})).toEqual(Object.keys(created.body.campos ?? {}))
  })

  test('create, update and invitation refuse an e-mail in use', async () => {
    const emailUsuario = person.emailUsuario.toUpperCase()
    const answers = [
      await admin.post('/usuarios', { nomeUsuario: 'N', emailUsuario, senhaUsuario: 'Uma senha boa 11' }),
      await admin.put(`/usuarios/${stranger.idUsuario}`, { nomeUsuario: 'N', emailUsuario }),
      await admin.post('/usuarios/convites', { nomeUsuario: 'N', emailUsuario }),
    ]
    expect(answers.map(({ body }) => body.codigo)).toEqual(answers.map(() => 'email_em_uso'))
  })
})

describe('linking grants ownership (Superset CVE-2023-49734)', () => {
  test('a moved report keeps its grants and becomes visible to no other user', async () => {
    const { here, there } = scene
    const moved = await createReport(app, { idGrupoRelatorio: here.idGrupoRelatorio })
    await grantReport(app, person.idUsuario, moved.idRelatorio)
    const theirs = await app.as(stranger)
    const move = (session: Session) =>
      session.put(`/usuarios/relatorio/${moved.idRelatorio}`, {
        nomeRelatorio: 'Mudou',
        operadoraRelatorio: 'CNU',
        reportId: moved.reportId,
        idGrupoRelatorio: there.idGrupoRelatorio,
      })
    expect((await move(own)).status).toBe(403)
    expect((await embed(own, here, moved)).status).toBe(200)
    expect((await move(admin)).status).toBe(200)
    // The user who was granted the report sees it in its new workspace, and nothing else there.
    expect((await embed(own, there, moved)).status).toBe(200)
    expect((await embed(own, here, moved)).status).toBe(403)
    expect((await embed(own, there, scene.elsewhere)).status).toBe(403)
    // A user with a grant in the new workspace does not see the moved report.
    expect((await embed(theirs, there, moved)).status).toBe(403)
    const listed = JSON.stringify((await theirs.get('/usuarios/menus')).body)
    expect(listed).not.toContain(moved.reportId)
  })

  test('the portal refuses to save the permissions of one workspace with reports of another', async () => {
    const { here, elsewhere, mine } = scene
    const { status } = await admin.put(`/usuarios/relatorio-usuario/${person.idUsuario}`, {
      idGrupoRelatorio: here.idGrupoRelatorio,
      idRelatorios: [mine.idRelatorio, elsewhere.idRelatorio],
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect((await embed(own, scene.there, elsewhere)).status).toBe(403)
    expect((await embed(own, here, mine)).status).toBe(200)
  })

  test('binding a report to a page grants it to no user', async () => {
    const { elsewhere } = scene
    const bound = await admin.put('/paginas/painel', { idRelatorio: elsewhere.idRelatorio })
    expect(bound.status).toBe(200)
    const page = await own.get('/paginas/painel')
    expect(JSON.stringify(page.body)).not.toContain(elsewhere.reportId)
    expect((await embed(own, scene.there, elsewhere)).status).toBe(403)
  })

  test('the portal ignores fields of the body that would change identity or privileges', async () => {
    const wishes = {
      idUsuario: stranger.idUsuario,
      tipoUsuario: 'ADMIN',
      tipo: 'ADMIN',
      acessoProntuario: true,
      encarregadoDados: true,
      situacao: 'ATIVO',
      idResponsavel: 2,
      identidadeRls: '*',
      versaoAcesso: 99,
    }
    await own.put('/conta', { nomeUsuario: person.nomeUsuario, ...wishes })
    await own.put(`/usuario/mudarsenha/${person.idUsuario}`, { senha: person.password, ...wishes })
    const email = `${randomUUID()}@exemplo.com.br`
    await app.anonymous.post('/faleconosco/', { nome: 'N', email, password: 'Uma senha boa 11', ...wishes })
    const rows = await app.db
      .selectFrom('usuario')
      .select([
        'tipoUsuario',
        'situacao',
        'acessoProntuario',
        'encarregadoDados',
        'idResponsavel',
        'identidadeRls',
      ])
      .where('emailUsuario', 'in', [person.emailUsuario, email])
      .orderBy('idUsuario')
      .execute()
    const plain = {
      tipoUsuario: 'USER',
      acessoProntuario: false,
      encarregadoDados: false,
      idResponsavel: 1,
      identidadeRls: null,
    }
    expect(rows).toEqual([
      { ...plain, situacao: 'ATIVO' },
      { ...plain, situacao: 'PENDENTE' },
    ])
  })
})

describe('a route without a check (OpenEMR CVE-2026-25164)', () => {
  test('only the listed endpoints are public', () => {
    const open = endpoints
      .filter(({ permission }) => permission === 'public')
      .map(({ method, url }) => `${method} ${url}`)
    expect(open.sort()).toEqual([
      // The link of an e-mail; its token is of one person and one subscription.
      'GET /assinaturas/cancelamento',
      'GET /portal',
      'GET /portal/logo/:marca',
      'POST /assinaturas/cancelamento',
      'POST /faleconosco/',
      'POST /login/RecoveryPassword',
      'POST /login/confirmar-email',
      'POST /login/oidc',
      'POST /login/oidc/inicio',
      'POST /login/recuperar-senha',
      'POST /login/recusar-cadastro',
      'POST /login/redefinir-senha',
      'POST /login/remover-segundo-fator',
      'POST /login/verificar-link',
      'POST /telao/codigo',
      'POST /telao/espera',
      'POST /usuarios/authorizer',
      // Answers only requests signed with the installation's own key.
      'POST /usuarios/relatorio/sem-papeis',
      'POST /visita/entrada',
      'POST /visita/pedido',
    ])
  })

  test('the portal refuses to start with a route that states no permission', async () => {
    const server = await buildApp(app.services)
    server.get('/api/esquecida', async () => 'aberta')
    await expect(server.ready()).rejects.toThrow('GET /api/esquecida')
    await server.close()
  })
})

describe('record ids of others (OpenEMR CVE-2026-25929)', () => {
  test('a USER who tries every user id reads only their own account', async () => {
    const found: number[] = []
    for (let id = 1; id <= stranger.idUsuario + 3; id += 1) {
      if ((await own.get(`/usuarios/${id}`)).status === 200) found.push(id)
    }
    expect(found).toEqual([person.idUsuario])
  })

  test("the portal answers 404 for another user's session and leaves their notifications unread", async () => {
    const theirs = await app.as(stranger)
    const { jti } = JSON.parse(Buffer.from(theirs.token.split('.')[1] ?? '', 'base64url').toString())
    expect((await own.del(`/conta/sessoes/${jti}`)).status).toBe(404)
    expect((await theirs.get('/usuarios/sessao')).status).toBe(200)
    const { idNotificacao } = await app.db
      .insertInto('notificacao')
      .values({
        idUsuario: stranger.idUsuario,
        tipo: 'senha_alterada',
        titulo: 'T',
        texto: 't',
        rota: null,
        assunto: null,
        criadaEm: new Date(),
        lidaEm: null,
      })
      .returning('idNotificacao')
      .executeTakeFirstOrThrow()
    await own.post('/notificacoes/lidas', { ids: [idNotificacao] })
    const { lidaEm } = await app.db
      .selectFrom('notificacao')
      .select('lidaEm')
      .where('idNotificacao', '=', idNotificacao)
      .executeTakeFirstOrThrow()
    expect(lidaEm).toBeNull()
    expect(JSON.stringify((await own.get('/notificacoes')).body)).not.toContain(`:${idNotificacao},`)
  })

  test('the portal answers 403 whether the record exists or not', async () => {
    const user = { tipo: 'USER', acessoProntuario: false, encarregadoDados: false } as const
    const adminCalls = endpoints.filter(
      ({ permission, url, method }) =>
        method === 'GET' && url.includes(':') && permission !== 'users:read' && !can(user, permission),
    )
    expect(adminCalls.length).toBeGreaterThan(5)
    for (const { url } of adminCalls) {
      const answers = [1, 2_000_000_000].map((id) => own.get(url.replace(/:\w+/g, String(id))))
      const [there, missing] = await Promise.all(answers)
      expect([there?.status, there?.body.codigo], url).toEqual([403, 'sem_permissao'])
      expect([missing?.status, missing?.body.codigo], url).toEqual([403, 'sem_permissao'])
    }
  })
})
