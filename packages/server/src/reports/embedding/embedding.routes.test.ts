import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { panelFieldsOf, problems } from '@bi-manager/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createReport, createWorkspace } from '../../../test/reports.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { datasetId } from '../../../test/stand-ins/provider-stand-in.ts'
import { createUser } from '../../../test/users.ts'

const { suite, publish, viewer, issuedLines } = embeddingSuite()

describe('POST /usuarios/relatorio/embed for a granted report', () => {
  test('POST /usuarios/relatorio/embed for a granted report returns what the viewer needs, and audits the token', async () => {
    const { report, address } = await publish({ filtro: "Sinistralidade/operadora eq 'CNU'" })
    const { post, user } = await viewer(report.idRelatorio)
    const { status, body } = await post('/usuarios/relatorio/embed', address)
    expect(status).toBe(200)
    expect(body).toEqual({
      embedToken: expect.stringMatching(/^embed-/),
      embedUrl: `${suite.provider.origin}/reportEmbed?reportId=${report.reportId}`,
      reportId: report.reportId,
      pageName: null,
      expiration: expect.stringMatching(/Z$/),
      idRelatorio: report.idRelatorio,
      nomeRelatorio: 'Relatório',
      nomeGrupo: 'Gestão',
      operadoraRelatorio: 'CNU',
      tipoRelatorio: 'INTERATIVO',
      parametros: [],
      painelParametros: true,
      comentarios: true,
      filtrosPainel: panelFieldsOf({ operadora: 'CNU' }),
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
    const issued = await issuedLines()
    expect(issued).toMatchObject([
      {
        idUsuario: user.idUsuario,
        objeto: `relatorio:${report.idRelatorio}`,
        detalhes: { tokenId: expect.any(String), expiraEm: body.expiration, identidade: null },
      },
    ])
    expect(JSON.stringify(issued)).not.toContain(body.embedToken)
  })

  test('POST /usuarios/relatorio/embed for a granted report returns the registered filters of the panel', async () => {
    const declared = {
      tabela: 'Calendário',
      coluna: 'ano',
      rotulo: 'Ano',
      padrao: 2026,
      valores: [{ valor: 2026, rotulo: 'Este ano' }],
    }
    const { report, address } = await publish({ filtrosPainel: JSON.stringify([declared]) })
    const { post } = await viewer(report.idRelatorio)
    const { body } = await post('/usuarios/relatorio/embed', address)
    expect(body.filtrosPainel).toEqual(panelFieldsOf({ declared: [declared], operadora: 'CNU' }))
  })

  test('POST /usuarios/relatorio/embed for a granted report matches the ids in any case, and needs no grant for an ADMIN', async () => {
    const { address } = await publish()
    const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    const upper = { groupId: address.groupId.toUpperCase(), reportId: address.reportId.toUpperCase() }
    expect((await admin.post('/usuarios/relatorio/embed', upper)).status).toBe(200)
  })

  test('POST /usuarios/relatorio/embed for a granted report requests a view-only token of that report alone', async () => {
    const { report, address } = await publish()
    const { post } = await viewer(report.idRelatorio)
    await post('/usuarios/relatorio/embed', address)
    const asked = suite.provider.seen.find(({ path }) => path.endsWith('/GenerateToken'))
    expect(JSON.parse(asked?.body ?? '')).toEqual({
      reports: [{ id: report.reportId, allowEdit: false }],
      datasets: [{ id: datasetId }],
    })
  })
})

test('POST /usuarios/relatorio/embed returns no token when the audit line cannot be written', async () => {
  const { report, address } = await publish()
  const { post } = await viewer(report.idRelatorio)
  await sql`create function falha_de_teste() returns trigger language plpgsql as
    $$ begin raise exception 'recusado'; end $$`.execute(suite.app.db)
  await sql`create trigger falha_de_teste before insert on auditoria_fila
    for each row execute function falha_de_teste()`.execute(suite.app.db)
  const refused = await post('/usuarios/relatorio/embed', address)
  await sql`drop function falha_de_teste cascade`.execute(suite.app.db)
  expect(refused.status).toBe(500)
  expect(JSON.stringify(refused.body)).not.toContain('embed-')
  expect(await issuedLines()).toEqual([])
  // The failure does not affect the next call.
  expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
  expect(await issuedLines()).toHaveLength(1)
})

describe("POST /usuarios/relatorio/embed refuses the token when, during the provider's answer,", () => {
  const cases = [
    ['the user is blocked', 401, (id: number) => person(id).set({ situacao: 'BLOQUEADO' }).execute()],
    ['the session ends', 401, (id: number) => sessionsOf(id).set({ encerradaEm: new Date() }).execute()],
    ['the grant is removed', 403, (id: number) => grantsOf(id).execute()],
    ['the identity changes', 503, (id: number) => person(id).set({ identidadeRls: 'outra' }).execute()],
  ] as const
  const person = (id: number) => suite.app.db.updateTable('usuario').where('idUsuario', '=', id)
  const sessionsOf = (id: number) => suite.app.db.updateTable('sessao').where('idUsuario', '=', id)
  const grantsOf = (id: number) => suite.app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', id)

  test.each(cases)(
    "POST /usuarios/relatorio/embed refuses the token when, during the provider's answer, %s",
    async (_name, status, revoke) => {
      const { report, address } = await publish({ papeisRls: ['Operadora'] })
      const { post, user } = await viewer(report.idRelatorio)
      const issued = suite.provider.hold('generateToken')
      const answered = post('/usuarios/relatorio/embed', address)
      const proceed = await issued
      await revoke(user.idUsuario)
      proceed()
      const { status: answer, body } = await answered
      expect(answer).toBe(status)
      expect(JSON.stringify(body)).not.toContain('embed-')
      expect(await issuedLines()).toEqual([])
    },
  )
})

describe('POST /usuarios/relatorio/embed for a report that is not granted', () => {
  test('POST /usuarios/relatorio/embed for a report that is not granted answers 403 whether or not the report exists, and does not call the provider', async () => {
    const { address } = await publish()
    const { post } = await suite.app.as(await createUser(suite.app))
    const unknown = { ...address, reportId: crypto.randomUUID() }
    for (const target of [address, unknown]) {
      const { status, body } = await post('/usuarios/relatorio/embed', target)
      expect(status).toBe(403)
      expect(body.codigo).toBe('relatorio_sem_permissao')
    }
    expect(suite.provider.seen).toEqual([])
    const refused = await suite.app.db
      .selectFrom('auditoria')
      .select('objeto')
      .where('acao', '=', 'embed.refused')
      .execute()
    expect(refused).toHaveLength(2)
  })

  test('POST /usuarios/relatorio/embed for a report that is not granted audits a refusal once a minute per user and report, and all reports beyond ten as one', async () => {
    const { address } = await publish()
    const person = await createUser(suite.app)
    const [one, other] = [await suite.app.as(person), await suite.app.as(person)]
    // Ids restart with every test, but the limiter keeps its counts: move past its window.
    suite.app.clock.offsetMs += 61_000
    const linesOf = (idUsuario: number) =>
      suite.app.db
        .selectFrom('auditoria')
        .select('objeto')
        .where('acao', '=', 'embed.refused')
        .where('idUsuario', '=', idUsuario)
        .orderBy('idAuditoria')
        .execute()
    for (const { post } of [one, other, one, other]) {
      expect((await post('/usuarios/relatorio/embed', address)).status).toBe(403)
    }
    expect(await linesOf(person.idUsuario)).toHaveLength(1)
    for (let n = 0; n < 30; n += 1) {
      const { post } = n % 2 ? one : other
      const unknown = { ...address, reportId: crypto.randomUUID() }
      expect((await post('/usuarios/relatorio/embed', unknown)).status).toBe(403)
    }
    const lines = await linesOf(person.idUsuario)
    expect(lines).toHaveLength(11)
    expect(lines.at(-1)?.objeto).toBe('outros')
    const neighbour = await createUser(suite.app)
    await (await suite.app.as(neighbour)).post('/usuarios/relatorio/embed', address)
    expect(await linesOf(neighbour.idUsuario)).toHaveLength(1)
    suite.app.clock.offsetMs += 61_000
    await one.post('/usuarios/relatorio/embed', address)
    expect(await linesOf(person.idUsuario)).toHaveLength(12)
  })

  test('POST /usuarios/relatorio/embed for a report that is not granted answers 403 on the next call after the grant is removed', async () => {
    const { report, address } = await publish()
    const { post, user } = await viewer(report.idRelatorio)
    expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
    await suite.app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', user.idUsuario).execute()
    expect((await post('/usuarios/relatorio/embed', address)).status).toBe(403)
    expect((await post(`/usuarios/relatorio/${report.idRelatorio}/visualizacao`)).status).toBe(403)
  })

  test.each([
    {
      what: 'a grant',
      happens: (idUsuario: number) =>
        suite.app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', idUsuario).execute(),
      status: 403,
    },
    {
      what: 'a session',
      happens: (idUsuario: number) =>
        suite.app.db
          .updateTable('sessao')
          .set({ encerradaEm: new Date() })
          .where('idUsuario', '=', idUsuario)
          .execute(),
      status: 401,
    },
  ])(
    'POST /usuarios/relatorio/embed for a report that is not granted refuses the call when $what is revoked while its body arrives',
    async ({ happens, status }) => {
      const { report, address } = await publish()
      const { post, token, user } = await viewer(report.idRelatorio)
      expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
      expect(await callSlowly(token, address, () => happens(user.idUsuario))).toBe(status)
      const issued = (await issuedLines()).filter(({ idUsuario }) => idUsuario === user.idUsuario)
      expect(issued).toHaveLength(1)
    },
  )

  test('POST /usuarios/relatorio/embed for a report that is not granted treats an ADMIN demoted while the body arrives as a USER', async () => {
    const { address } = await publish()
    const user = await createUser(suite.app, { tipoUsuario: 'ADMIN' })
    const { token } = await suite.app.as(user)
    const demote = () =>
      suite.app.db
        .updateTable('usuario')
        .set({ tipoUsuario: 'USER' })
        .where('idUsuario', '=', user.idUsuario)
        .execute()
    expect(await callSlowly(token, address, demote)).toBe(403)
  })

  test('POST /usuarios/relatorio/embed for a report that is not granted does not open another report of the workspace, nor the report through another workspace', async () => {
    const { report, workspace, connection } = await publish()
    const other = await createReport(suite.app, { idGrupoRelatorio: workspace.idGrupoRelatorio })
    const elsewhere = await createWorkspace(suite.app, { idPowerBi: connection.idPowerBi })
    const { post } = await viewer(report.idRelatorio)
    for (const target of [
      { groupId: workspace.idGrupo, reportId: other.reportId },
      { groupId: elsewhere.idGrupo, reportId: report.reportId },
    ]) {
      expect((await post('/usuarios/relatorio/embed', target)).status).toBe(403)
    }
  })

  test('POST /usuarios/relatorio/embed for a report that is not granted answers 404 to an ADMIN', async () => {
    const { post } = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    const nowhere = { groupId: crypto.randomUUID(), reportId: crypto.randomUUID() }
    expect((await post('/usuarios/relatorio/embed', nowhere)).status).toBe(404)
  })
})

/**
 * Requests a token with a body sent in two parts, runs `betweenParts` between them, and returns the
 * status.
 */
const callSlowly = async (token: string, address: object, betweenParts: () => Promise<unknown>) => {
  const origin = suite.app.app.server.listening
    ? suite.app.app.listeningOrigin
    : await suite.app.app.listen({ port: 0, host: '127.0.0.1' })
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
  await betweenParts()
  call.end(body.slice(5))
  const [response] = await answered
  response.resume()
  await once(response, 'end')
  return response.statusCode
}

describe('POST /usuarios/relatorio/embed with row-level security', () => {
  test("POST /usuarios/relatorio/embed with row-level security sends the viewer's identity, with customData if set, and does not share the token", async () => {
    suite.provider.answer('dataset', () => ({ body: { id: datasetId, isEffectiveIdentityRequired: true } }))
    const { report, address } = await publish({ papeisRls: ['Operadora'] })
    const helena = await viewer(report.idRelatorio, { identidadeRls: 'CNU' })
    const ana = await viewer(report.idRelatorio)
    const tokens = [
      (await helena.post('/usuarios/relatorio/embed', address)).body.embedToken,
      (await ana.post('/usuarios/relatorio/embed', address)).body.embedToken,
      (await helena.post('/usuarios/relatorio/embed', address)).body.embedToken,
    ]
    expect(new Set(tokens).size).toBe(3)
    const identities = suite.provider.seen
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

  test('POST /usuarios/relatorio/embed with row-level security uses the identity as of the end of the request body', async () => {
    suite.provider.answer('dataset', () => ({ body: { id: datasetId, isEffectiveIdentityRequired: true } }))
    const { report, address } = await publish({ papeisRls: ['Operadora'] })
    const { token, user } = await viewer(report.idRelatorio, { identidadeRls: 'CNU' })
    const change = () =>
      suite.app.db
        .updateTable('usuario')
        .set({ identidadeRls: 'BRADESCO' })
        .where('idUsuario', '=', user.idUsuario)
        .execute()
    expect(await callSlowly(token, address, change)).toBe(200)
    const asked = suite.provider.seen.filter(({ path }) => path.endsWith('/GenerateToken')).at(-1)
    expect(JSON.parse(asked?.body ?? '').identities).toMatchObject([{ customData: 'BRADESCO' }])
  })

  const requiresRoles = { isEffectiveIdentityRequired: true, isEffectiveIdentityRolesRequired: true }

  test('POST /usuarios/relatorio/embed with row-level security sends the identity without roles when the report says so, to each viewer alone', async () => {
    suite.provider.answer('dataset', () => ({ body: { id: datasetId, isEffectiveIdentityRequired: true } }))
    const { report, address } = await publish({ enviaIdentidade: true })
    const helena = await viewer(report.idRelatorio, { identidadeRls: 'CNU' })
    const ana = await viewer(report.idRelatorio)
    for (const { post } of [helena, ana])
      expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
    const asked = suite.provider.seen.filter(({ path }) => path.endsWith('/GenerateToken'))
    expect(asked.map(({ body }) => JSON.parse(body).identities)).toEqual([
      [{ username: helena.user.emailUsuario, customData: 'CNU', datasets: [datasetId] }],
      [{ username: ana.user.emailUsuario, datasets: [datasetId] }],
    ])
    expect((await issuedLines()).map(({ detalhes }) => detalhes)).toMatchObject([
      { identidade: { username: helena.user.emailUsuario } },
      { identidade: { username: ana.user.emailUsuario } },
    ])
  })

  test.each([
    ['roles', 'without roles', requiresRoles, {}, 502, 'bi_identidade_necessaria'],
    [
      'an identity',
      'of an unverified e-mail',
      {},
      { emailPorProvar: true },
      403,
      'identidade_nao_confirmada',
    ],
  ])('the call refuses, where %s is required, the identity %s', async (...row) => {
    const [, , flags, person, status, codigo] = row
    suite.provider.answer('dataset', () => ({
      body: { id: datasetId, isEffectiveIdentityRequired: true, ...flags },
    }))
    const { report, address } = await publish({ enviaIdentidade: true })
    const { post } = await viewer(report.idRelatorio, person)
    const answer = await post('/usuarios/relatorio/embed', address)
    expect([answer.status, answer.body.codigo]).toEqual([status, codigo])
    expect(suite.provider.seen.some(({ path }) => path.endsWith('/GenerateToken'))).toBe(false)
  })

  test.each([
    'isEffectiveIdentityRequired',
    'IsEffectiveIdentityRequired',
    'isEffectiveIdentityRolesRequired',
  ])(
    'POST /usuarios/relatorio/embed with row-level security refuses the token when the dataset has %s and the report has no roles',
    async (flag) => {
      suite.provider.answer('dataset', () => ({ body: { id: datasetId, [flag]: true } }))
      const { report, address } = await publish()
      const { post } = await viewer(report.idRelatorio)
      const { status, body } = await post('/usuarios/relatorio/embed', address)
      expect([status, body.codigo]).toEqual([502, 'bi_identidade_necessaria'])
      expect(suite.provider.seen.some(({ path }) => path.endsWith('/GenerateToken'))).toBe(false)
    },
  )

  test('POST /usuarios/relatorio/embed with row-level security tells an ADMIN which field of the report is missing, and a reader to ask one', async () => {
    suite.provider.answer('dataset', () => ({ body: { id: datasetId, isEffectiveIdentityRequired: true } }))
    const { report, address } = await publish()
    const { post } = await viewer(report.idRelatorio)
    const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    const [reader, told] = [
      await post('/usuarios/relatorio/embed', address),
      await admin.post('/usuarios/relatorio/embed', address),
    ]
    expect(reader.body.detail).toBe(problems.bi_identidade_necessaria.detail)
    expect([told.status, told.body.codigo]).toEqual([502, 'bi_identidade_necessaria'])
    expect(told.body.detail).toMatch(/Informe no cadastro do relatório os papéis de segurança/)
  })
})
