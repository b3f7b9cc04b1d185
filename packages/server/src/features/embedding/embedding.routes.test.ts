import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { datasetId, type Kind, startProvider } from '../../../test/provider-stand-in.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createUser } from '../../../test/users.ts'

let app: TestApp
let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
  app = await startTestApp({
    POWERBI_AUTHORITY_URL: provider.origin,
    POWERBI_API_URL: provider.origin,
    POWERBI_EMBED_URL: provider.origin,
    BI_TIMEOUT_SECONDS: '1',
  })
})
beforeEach(async () => {
  await app.reset()
  provider.restore()
  app.clock.offsetMs = 0
})
afterAll(async () => {
  await app.close()
  await provider.close()
})

/** A report in a workspace of a fresh connection, so that no test meets another's cached tokens. */
const publish = async (fields: { filtro?: string; papeisRls?: string[]; nomeRelatorio?: string } = {}) => {
  const connection = await createConnection(app)
  const workspace = await createWorkspace(app, { idPowerBi: connection.idPowerBi, nomeGrupo: 'Gestão' })
  // Ids restart with every test, and the caches key on them: a version of its own keeps the tests apart.
  const versao = Math.floor(Math.random() * 1e9)
  await app.db.updateTable('powerbi').set({ versao }).where('idPowerBi', '=', connection.idPowerBi).execute()
  const report = await createReport(app, { idGrupoRelatorio: workspace.idGrupoRelatorio, ...fields })
  return { connection, workspace, report, address: { groupId: workspace.idGrupo, reportId: report.reportId } }
}

const viewer = async (idRelatorio: number, fields = {}) => {
  const user = await createUser(app, fields)
  await grantReport(app, user.idUsuario, idRelatorio)
  return { user, ...(await app.as(user)) }
}

describe('embedding a granted report', () => {
  test('answers what the viewer needs, and records the token', async () => {
    const { report, address } = await publish({ filtro: "Sinistralidade/operadora eq 'CNU'" })
    const { post, user } = await viewer(report.idRelatorio)
    const { status, body } = await post('/usuarios/relatorio/embed', address)
    expect(status).toBe(200)
    expect(body).toEqual({
      embedToken: expect.stringMatching(/^embed-/),
      embedUrl: `${provider.origin}/reportEmbed?reportId=${report.reportId}`,
      reportId: report.reportId,
      pageName: null,
      expiration: expect.stringMatching(/Z$/),
      idRelatorio: report.idRelatorio,
      nomeRelatorio: 'Relatório',
      nomeGrupo: 'Gestão',
      operadoraRelatorio: 'CNU',
      filtros: [
        {
          $schema: 'http://powerbi.com/product/schema#basic',
          target: { table: 'Sinistralidade', column: 'operadora' },
          filterType: 1,
          operator: 'In',
          values: ['CNU'],
        },
      ],
    })
    const [token] = await app.db.selectFrom('tokenEmitido').selectAll().execute()
    expect(token).toMatchObject({
      idUsuario: user.idUsuario,
      idRelatorio: report.idRelatorio,
      comIdentidade: false,
    })
    const audit = await app.db
      .selectFrom('auditoria')
      .selectAll()
      .where('acao', '=', 'embed.issued')
      .execute()
    expect(audit).toHaveLength(1)
    expect(JSON.stringify(audit)).not.toContain(body.embedToken)
  })

  test('finds the ids in any case, and an ADMIN needs no grant', async () => {
    const { address } = await publish()
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const upper = { groupId: address.groupId.toUpperCase(), reportId: address.reportId.toUpperCase() }
    expect((await admin.post('/usuarios/relatorio/embed', upper)).status).toBe(200)
  })

  test('asks for a view-only token of that report alone', async () => {
    const { report, address } = await publish()
    const { post } = await viewer(report.idRelatorio)
    await post('/usuarios/relatorio/embed', address)
    const asked = provider.seen.find(({ path }) => path.endsWith('/GenerateToken'))
    expect(JSON.parse(asked?.body ?? '')).toEqual({
      reports: [{ id: report.reportId, allowEdit: false }],
      datasets: [{ id: datasetId }],
    })
  })
})

test('no token leaves that cannot be put on record, and no line of it stays', async () => {
  const { report, address } = await publish()
  const { post } = await viewer(report.idRelatorio)
  await sql`create function falha_de_teste() returns trigger language plpgsql as
    $$ begin raise exception 'recusado'; end $$`.execute(app.db)
  await sql`create trigger falha_de_teste before insert on token_emitido
    for each row execute function falha_de_teste()`.execute(app.db)
  const refused = await post('/usuarios/relatorio/embed', address)
  await sql`drop function falha_de_teste cascade`.execute(app.db)
  expect(refused.status).toBe(500)
  expect(JSON.stringify(refused.body)).not.toContain('embed-')
  const lines = () =>
    app.db.selectFrom('auditoria').select('acao').where('acao', '=', 'embed.issued').execute()
  expect(await lines()).toEqual([])
  // One that failed is no hindrance to the next.
  expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
  expect(await lines()).toHaveLength(1)
})

describe('a report that is not granted', () => {
  test('answers 403 relatorio_sem_permissao, whether it exists or not, and asks the provider nothing', async () => {
    const { address } = await publish()
    const { post } = await app.as(await createUser(app))
    const unknown = { ...address, reportId: crypto.randomUUID() }
    for (const target of [address, unknown]) {
      const { status, body } = await post('/usuarios/relatorio/embed', target)
      expect(status).toBe(403)
      expect(body.codigo).toBe('relatorio_sem_permissao')
    }
    expect(provider.seen).toEqual([])
    const refused = await app.db
      .selectFrom('auditoria')
      .select('objeto')
      .where('acao', '=', 'embed.refused')
      .execute()
    expect(refused).toHaveLength(2)
  })

  test('a revoked grant works no more on the next call', async () => {
    const { report, address } = await publish()
    const { post, user } = await viewer(report.idRelatorio)
    expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
    await app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', user.idUsuario).execute()
    expect((await post('/usuarios/relatorio/embed', address)).status).toBe(403)
    expect((await post(`/usuarios/relatorio/${report.idRelatorio}/visualizacao`)).status).toBe(403)
  })

  test.each([
    {
      what: 'a grant revoked',
      happens: (idUsuario: number) =>
        app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', idUsuario).execute(),
      status: 403,
    },
    {
      what: 'a session ended',
      happens: (idUsuario: number) =>
        app.db
          .updateTable('sessao')
          .set({ encerradaEm: new Date() })
          .where('idUsuario', '=', idUsuario)
          .execute(),
      status: 401,
    },
  ])('$what while the body of a call came works no more on that call', async ({ happens, status }) => {
    const { report, address } = await publish()
    const { post, token, user } = await viewer(report.idRelatorio)
    expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
    expect(await callSlowly(token, address, () => happens(user.idUsuario))).toBe(status)
    const issued = app.db.selectFrom('tokenEmitido').select('idToken')
    expect(await issued.where('idUsuario', '=', user.idUsuario).execute()).toHaveLength(1)
  })

  test('an ADMIN who became a USER while the body of a call came is judged as a USER', async () => {
    const { address } = await publish()
    const user = await createUser(app, { tipoUsuario: 'ADMIN' })
    const { token } = await app.as(user)
    const demote = () =>
      app.db
        .updateTable('usuario')
        .set({ tipoUsuario: 'USER' })
        .where('idUsuario', '=', user.idUsuario)
        .execute()
    expect(await callSlowly(token, address, demote)).toBe(403)
  })

  test('the grant of one report opens no other of the same workspace, nor through another workspace', async () => {
    const { report, workspace, connection } = await publish()
    const other = await createReport(app, { idGrupoRelatorio: workspace.idGrupoRelatorio })
    const elsewhere = await createWorkspace(app, { idPowerBi: connection.idPowerBi })
    const { post } = await viewer(report.idRelatorio)
    for (const target of [
      { groupId: workspace.idGrupo, reportId: other.reportId },
      { groupId: elsewhere.idGrupo, reportId: report.reportId },
    ]) {
      expect((await post('/usuarios/relatorio/embed', target)).status).toBe(403)
    }
  })

  test('is 404 to an ADMIN, who may know what there is', async () => {
    const { post } = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const nowhere = { groupId: crypto.randomUUID(), reportId: crypto.randomUUID() }
    expect((await post('/usuarios/relatorio/embed', nowhere)).status).toBe(404)
  })
})

/** Asks for a token with a body that is long in coming; answers the status. `meanwhile` happens before it is whole. */
const callSlowly = async (token: string, address: object, meanwhile: () => Promise<unknown>) => {
  const origin = app.app.server.listening
    ? app.app.listeningOrigin
    : await app.app.listen({ port: 0, host: '127.0.0.1' })
  const body = JSON.stringify(address)
  const call = request(`${origin}/api/usuarios/relatorio/embed`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  })
  const answered = once(call, 'response') as Promise<[IncomingMessage]>
  call.write(body.slice(0, 5))
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  await meanwhile()
  call.end(body.slice(5))
  const [response] = await answered
  response.resume()
  await once(response, 'end')
  return response.statusCode
}

describe('row-level security', () => {
  test('sends who is looking, with customData where the person has one, and shares no such token', async () => {
    provider.answer('dataset', () => ({ body: { id: datasetId, isEffectiveIdentityRequired: true } }))
    const { report, address } = await publish({ papeisRls: ['Operadora'] })
    const helena = await viewer(report.idRelatorio, { identidadeRls: 'CNU' })
    const ana = await viewer(report.idRelatorio)
    const tokens = [
      (await helena.post('/usuarios/relatorio/embed', address)).body.embedToken,
      (await ana.post('/usuarios/relatorio/embed', address)).body.embedToken,
      (await helena.post('/usuarios/relatorio/embed', address)).body.embedToken,
    ]
    expect(new Set(tokens).size).toBe(3)
    const identities = provider.seen
      .filter(({ path }) => path.endsWith('/GenerateToken'))
      .map(({ body }) => JSON.parse(body).identities)
    expect(identities.slice(0, 2)).toEqual([
      [
        {
          username: helena.user.emailUsuario,
          roles: ['Operadora'],
          customData: 'CNU',
          datasets: [datasetId],
        },
      ],
      [{ username: ana.user.emailUsuario, roles: ['Operadora'], datasets: [datasetId] }],
    ])
  })

  test('goes by the identity that the person has once the body is there', async () => {
    provider.answer('dataset', () => ({ body: { id: datasetId, isEffectiveIdentityRequired: true } }))
    const { report, address } = await publish({ papeisRls: ['Operadora'] })
    const { token, user } = await viewer(report.idRelatorio, { identidadeRls: 'CNU' })
    const change = () =>
      app.db
        .updateTable('usuario')
        .set({ identidadeRls: 'BRADESCO' })
        .where('idUsuario', '=', user.idUsuario)
        .execute()
    expect(await callSlowly(token, address, change)).toBe(200)
    const asked = provider.seen.filter(({ path }) => path.endsWith('/GenerateToken')).at(-1)
    expect(JSON.parse(asked?.body ?? '').identities).toMatchObject([{ customData: 'BRADESCO' }])
  })

  test.each([
    'isEffectiveIdentityRequired',
    'IsEffectiveIdentityRequired',
    'isEffectiveIdentityRolesRequired',
  ])('gives no token where the dataset says %s and the report has no roles', async (flag) => {
    provider.answer('dataset', () => ({ body: { id: datasetId, [flag]: true } }))
    const { report, address } = await publish()
    const { post } = await viewer(report.idRelatorio)
    const { status, body } = await post('/usuarios/relatorio/embed', address)
    expect([status, body.codigo]).toEqual([502, 'bi_identidade_necessaria'])
    expect(provider.seen.some(({ path }) => path.endsWith('/GenerateToken'))).toBe(false)
  })
})

describe('tokens at hand', () => {
  const count = (end: string) => provider.seen.filter(({ path }) => path.endsWith(end)).length

  test('one Entra token and one embed token serve many viewers of the same report', async () => {
    const { report, address } = await publish()
    const viewers = await Promise.all([
      viewer(report.idRelatorio),
      viewer(report.idRelatorio),
      viewer(report.idRelatorio),
    ])
    const answers = await Promise.all(viewers.map(({ post }) => post('/usuarios/relatorio/embed', address)))
    expect(new Set(answers.map(({ body }) => body.embedToken)).size).toBe(1)
    expect([count('/token'), count('/GenerateToken')]).toEqual([1, 1])
    expect(await app.db.selectFrom('tokenEmitido').select('idUsuario').execute()).toHaveLength(3)
  })

  test('a shared embed token is handed out for half its life, and Entra is asked anew at half of its own', async () => {
    const { report, address } = await publish()
    const { post } = await viewer(report.idRelatorio)
    await post('/usuarios/relatorio/embed', address)
    app.clock.offsetMs = 29 * 60_000
    await post('/usuarios/relatorio/embed', address)
    expect([count('/token'), count('/GenerateToken')]).toEqual([1, 1])
    app.clock.offsetMs = 31 * 60_000
    await post('/usuarios/relatorio/embed', address)
    expect([count('/token'), count('/GenerateToken')]).toEqual([2, 2])
  })

  test('an Entra token that the provider refuses is asked anew, once', async () => {
    const { report, address } = await publish()
    const { post } = await viewer(report.idRelatorio)
    let refusals = 0
    provider.answer('report', ({ path }) => {
      refusals += 1
      if (refusals === 1) return { status: 403, body: { error: { code: 'TokenExpired' } } }
      const id = path.split('/').at(-1)
      return { body: { id, name: 'R', embedUrl: `${provider.origin}/reportEmbed`, datasetId } }
    })
    expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
    expect(count('/token')).toBe(2)
  })

  test('editing the connection drops what was kept for it', async () => {
    const { report, address, connection } = await publish()
    const { post } = await viewer(report.idRelatorio)
    await post('/usuarios/relatorio/embed', address)
    await app.db
      .updateTable('powerbi')
      .set((eb) => ({ versao: eb('versao', '+', 1) }))
      .where('idPowerBi', '=', connection.idPowerBi)
      .execute()
    await post('/usuarios/relatorio/embed', address)
    expect(count('/token')).toBe(2)
  })
})

describe('a provider in trouble', () => {
  const cases: [string, Kind, () => object, number, string][] = [
    [
      'a wrong secret',
      'token',
      () => ({ status: 401, body: { error: 'invalid_client', error_description: 'AADSTS7000215' } }),
      502,
      'bi_credencial_recusada',
    ],
    ['Entra down', 'token', () => ({ status: 503, body: 'oops' }), 503, 'bi_indisponivel'],
    [
      'not a member of the workspace',
      'report',
      () => ({ status: 403, body: { error: { code: 'PowerBINotAuthorizedException' } } }),
      502,
      'bi_sem_acesso',
    ],
    [
      'a report that is gone',
      'report',
      () => ({ status: 404, body: { error: { code: 'PowerBIEntityNotFound' } } }),
      502,
      'bi_relatorio_inexistente',
    ],
    [
      'too many requests',
      'generateToken',
      () => ({ status: 429, headers: { 'retry-after': '17' } }),
      503,
      'bi_sobrecarregado',
    ],
    [
      'a paused capacity',
      'generateToken',
      () => ({ status: 400, body: { error: { code: 'CapacityNotActive' } } }),
      503,
      'bi_pausado',
    ],
    [
      'an identity it misses',
      'generateToken',
      () => ({
        status: 400,
        body: {
          error: {
            code: 'InvalidRequest',
            message: 'Creating embed token requires effective identity to be provided',
          },
        },
      }),
      502,
      'bi_identidade_necessaria',
    ],
    ['malformed JSON', 'generateToken', () => ({ body: '{"token":' }), 502, 'bi_resposta_invalida'],
    [
      'an embed address elsewhere',
      'report',
      () => ({ body: { id: 'x', name: 'R', embedUrl: 'https://evil.example/reportEmbed', datasetId } }),
      502,
      'bi_resposta_invalida',
    ],
    [
      'a redirect',
      'report',
      () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/' } }),
      503,
      'bi_indisponivel',
    ],
    ['no answer in time', 'generateToken', () => ({ delay: 3000 }), 504, 'bi_sem_resposta'],
  ]
  test.each(cases)('%s ends in its own sentence', async (_, kind, answer, status, codigo) => {
    provider.answer(kind, answer)
    const { report, address } = await publish()
    const { post } = await viewer(report.idRelatorio)
    const started = performance.now()
    const refused = await post('/usuarios/relatorio/embed', address)
    expect([refused.status, refused.body.codigo]).toEqual([status, codigo])
    expect(performance.now() - started).toBeLessThan(2500)
    if (codigo === 'bi_sobrecarregado') expect(refused.headers['retry-after']).toBe('17')
    expect(await app.db.selectFrom('tokenEmitido').select('idToken').execute()).toEqual([])
    provider.restore()
    // A failure is not remembered.
    expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
  })
})

describe('recording a view', () => {
  test('keeps who saw what and how long it took', async () => {
    const { report, address } = await publish()
    const { post, user } = await viewer(report.idRelatorio)
    const times = { carregadoMs: 420, renderizadoMs: 910 }
    await post('/usuarios/relatorio/embed', address)
    expect((await post(`/usuarios/relatorio/${report.idRelatorio}/visualizacao`, times)).status).toBe(204)
    const [view] = await app.db.selectFrom('visualizacao').selectAll().execute()
    expect(view).toMatchObject({ idUsuario: user.idUsuario, idRelatorio: report.idRelatorio, ...times })
  })

  describe('is of a token that was issued to the same person for the same report', () => {
    const opened = async () => {
      const { report, address } = await publish()
      const reader = await viewer(report.idRelatorio)
      const embed = () => reader.post('/usuarios/relatorio/embed', address)
      const record = async (times = { carregadoMs: 420, renderizadoMs: 910 }) => {
        const { status, body } = await reader.post(
          `/usuarios/relatorio/${report.idRelatorio}/visualizacao`,
          times,
        )
        return [status, body?.codigo]
      }
      return { report, address, embed, record }
    }
    const recorded = () => app.db.selectFrom('visualizacao').select('renderizadoMs').execute()
    const refusal = [409, 'visualizacao_sem_abertura']

    test('none without one, nor of one that somebody else got', async () => {
      const { record, report, address } = await opened()
      const other = await viewer(report.idRelatorio)
      expect((await other.post('/usuarios/relatorio/embed', address)).status).toBe(200)
      expect(await record()).toEqual(refusal)
      expect(await recorded()).toEqual([])
    })

    test('one for each, also when they come at once', async () => {
      const { embed, record } = await opened()
      await embed()
      await embed()
      const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await record())[0]))
      expect(statuses.sort()).toEqual([204, 204, 409, 409, 409, 409])
      expect(await recorded()).toHaveLength(2)
      await embed()
      expect(await record()).toEqual([204, undefined])
    })

    test('within the quarter of an hour in which a report can have opened', async () => {
      const { embed, record } = await opened()
      await embed()
      app.clock.offsetMs = 15 * 60_000 + 1_000
      expect(await record()).toEqual(refusal)
    })

    test('takes no longer than it was since then, and a minute for the token itself', async () => {
      const { embed, record } = await opened()
      await embed()
      expect(await record({ carregadoMs: 420, renderizadoMs: 70_000 })).toEqual(refusal)
      app.clock.offsetMs = 20_000
      expect(await record({ carregadoMs: 420, renderizadoMs: 70_000 })).toEqual([204, undefined])
    })

    test('is not drawn before it is loaded', async () => {
      const { embed, record } = await opened()
      await embed()
      expect(await record({ carregadoMs: 911, renderizadoMs: 910 })).toEqual([422, 'campos_invalidos'])
      expect(await record({ carregadoMs: 420, renderizadoMs: 600_001 })).toEqual([422, 'campos_invalidos'])
      expect(await record({ carregadoMs: 910, renderizadoMs: 910 })).toEqual([204, undefined])
    })
  })

  test('is not done by asking for a token ahead: no view, no report opened last, no use of the session', async () => {
    const { report, address } = await publish()
    const { post, get } = await viewer(report.idRelatorio)
    const sessions = () => app.db.selectFrom('sessao').select(['idSessao', 'ultimoUso']).execute()
    const before = await sessions()
    app.clock.offsetMs = 10 * 60_000
    expect((await post('/usuarios/relatorio/embed', address, { 'x-segundo-plano': '1' })).status).toBe(200)
    expect(await sessions()).toEqual(before)
    expect(await app.db.selectFrom('visualizacao').selectAll().execute()).toEqual([])
    expect((await get('/login/usuario-atividade')).body.relatoriosRecentes).toEqual([])
    // Who was given which token is on record all the same.
    expect(await app.db.selectFrom('tokenEmitido').select('idRelatorio').execute()).toHaveLength(1)
  })

  test('refuses nonsense with 422, but 403 comes first', async () => {
    const { report } = await publish()
    const granted = await viewer(report.idRelatorio)
    const stranger = await app.as(await createUser(app))
    const url = `/usuarios/relatorio/${report.idRelatorio}/visualizacao`
    const wrong = { carregadoMs: -1, renderizadoMs: 'x' }
    const { status, body } = await granted.post(url, wrong)
    expect(status).toBe(422)
    expect(Object.keys(body.campos).sort()).toEqual(['carregadoMs', 'renderizadoMs'])
    expect((await stranger.post(url, wrong)).status).toBe(403)
    expect((await stranger.post(url, '{"broken')).status).toBe(403)
  })
})
