import { describe, expect, test } from 'vitest'
import { alertDraft, createEvaluation } from '../../../test/distribution/alerts.ts'
import { alertSuite } from '../../../test/stand-ins/alert-suite.ts'
import { createUser } from '../../../test/users.ts'

const { suite, values, tables, evaluate, publish, make, watch } = alertSuite()

const auditOf = (acao: string) =>
  suite.app.db
    .selectFrom('auditoria')
    .select(['idUsuario', 'objeto', 'detalhes'])
    .where('acao', '=', acao)
    .orderBy('idAuditoria')
    .execute()

describe('POST /usuarios/relatorio/:id/alertas', () => {
  test('POST /usuarios/relatorio/:id/alertas stores the alert with the titles of the report and its first value', async () => {
    tables.set('todos', [['CNU', 5]])
    const report = await publish()
    const { made, user, session, idAlerta } = await make(report, {
      visual: 'tabela',
      linha: { operadora: 'CNU' },
      condicao: 'ABAIXO',
      limite: 9,
      filtros: { sexo: 'feminino', operadora: '' },
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      segredo: null,
      alerta: {
        nomeAlerta: 'Custo alto',
        tituloPagina: 'Resumo',
        tituloVisual: 'TABELA',
        rotuloColuna: 'Custo',
        linha: { operadora: 'CNU' },
        valor: 5,
        estado: 'ATINGIDA',
        formato: 'moeda',
        mostraValores: true,
        impedimento: null,
        hostWebhook: null,
        dono: { idUsuario: user.idUsuario },
        relatorio: { idRelatorio: report.idRelatorio, nomeRelatorio: 'Custos & receitas' },
      },
    })
    const evaluations = await session.get(`/alertas/${idAlerta}/avaliacoes`)
    expect(evaluations.body).toMatchObject([{ resultado: 'INICIAL', valor: 5, anterior: null, envios: [] }])
    expect((await session.get('/alertas/meus')).body).toHaveLength(1)
    expect((await session.get(`/usuarios/relatorio/${report.idRelatorio}/alertas`)).body).toHaveLength(1)
    const [line] = await auditOf('alert.created')
    expect(line).toMatchObject({ idUsuario: user.idUsuario, objeto: `alerta:${idAlerta}` })
    // The row and the values of filters may name a patient.
    expect(JSON.stringify(line?.detalhes)).not.toMatch(/CNU|feminino/)
    expect(line?.detalhes).toMatchObject({ depois: { filtros: ['sexo'] } })
  })

  test.each([
    ['without a limit', { limite: null }, 'limite'],
    ['with a change of nothing', { condicao: 'VARIOU', limite: 0 }, 'limite'],
    ['of a text column', { visual: 'tabela', coluna: 'operadora', linha: { custo: 5 } }, 'coluna'],
    ['of a row that is not there', { visual: 'tabela', linha: { operadora: 'OUTRA' } }, 'linha'],
    ['with a query at the local service', { origem: 'DAX', consulta: 'EVALUATE X' }, 'origem'],
    ['with a webhook of a USER', { webhook: 'https://exemplo.com.br/x' }, 'webhook'],
    ['with a webhook that is not https', { webhook: 'http://exemplo.com.br/x' }, 'webhook'],
  ] as const)('POST /usuarios/relatorio/:id/alertas refuses an alert %s', async (_, fields, field) => {
    values.set('todos', 1)
    tables.set('todos', [['CNU', 5]])
    const { made } = await make(await publish(), fields as object)
    expect([made.status, Object.keys(made.body.campos ?? {})]).toEqual([422, [field]])
  })

  test('POST /usuarios/relatorio/:id/alertas refuses a visual that is not there, and a table without a row', async () => {
    tables.set('todos', [
      ['CNU', 5],
      ['CNU', 6],
    ])
    const report = await publish()
    for (const fields of [
      { visual: 'outro' },
      { visual: 'toString' },
      { visual: '__proto__' },
      { visual: 'tabela' },
      { visual: 'tabela', linha: { operadora: 'CNU' } },
    ]) {
      const { made } = await make(report, fields)
      expect([made.status, made.body.codigo]).toEqual([409, 'alerta_sem_valor'])
    }
  })

  test('POST /usuarios/relatorio/:id/alertas refuses a report that was withdrawn while its value was read', async () => {
    values.set('todos', 1)
    const report = await publish()
    const { session, user } = await make(report)
    const held = suite.provider.hold('readData')
    const made = session.post(`/usuarios/relatorio/${report.idRelatorio}/alertas`, alertDraft())
    const proceed = await held
    await suite.app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', user.idUsuario).execute()
    proceed()
    expect((await made).status).toBe(403)
  })
})

describe('the visuals of a page', () => {
  test('the visuals of a page have the rows of the person, and reading them is audited', async () => {
    const report = await publish({ papeisRls: ['Regional'] })
    const { session, user } = await make(report)
    tables.set(user.emailUsuario, [['CNU', 5]])
    tables.set('todos', [['BRADESCO', 9]])
    const { status, body } = await session.post(
      `/usuarios/relatorio/${report.idRelatorio}/alertas/visuais`,
      {},
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      paginas: [{ nome: 'p1', titulo: 'Resumo' }],
      pagina: 'p1',
      visuais: [
        {
          nome: 'custo',
          titulo: 'CUSTO',
          linhas: [[null]],
          cortado: false,
          colunas: [{ nome: 'custo', rotulo: 'Custo', tipo: null, formato: 'moeda', numerica: true }],
        },
        {
          nome: 'tabela',
          titulo: 'TABELA',
          linhas: [['CNU', 5]],
          cortado: false,
          colunas: [
            { nome: 'operadora', rotulo: 'operadora', tipo: null, formato: null, numerica: false },
            { nome: 'custo', rotulo: 'Custo', tipo: null, formato: 'moeda', numerica: true },
          ],
        },
      ],
    })
    expect(await auditOf('alert.values-read')).toMatchObject([
      { idUsuario: user.idUsuario, objeto: `relatorio:${report.idRelatorio}`, detalhes: { pagina: 'p1' } },
    ])
  })
})

test('the visuals of a page may have texts that are too long for the row of an alert', async () => {
  const report = await publish()
  const { session } = await make(report)
  const long = `${'x'.repeat(2_000)}…`
  tables.set('todos', [[long, 9]])
  const { status, body } = await session.post(`/usuarios/relatorio/${report.idRelatorio}/alertas/visuais`, {})
  expect(status).toBe(200)
  expect(body.visuais[1].linhas).toEqual([[long, 9]])
})

test('a person reads values 60 times a minute, for the form and to save an alert together', async () => {
  // A minute of its own: other tests have people with the same ids.
  suite.app.clock.offsetMs = 3_600_000
  values.set('todos', 1)
  const report = await publish()
  const { session } = await make(report)
  const address = `/usuarios/relatorio/${report.idRelatorio}/alertas`
  const read = async (one = session) => (await one.post(`${address}/visuais`, {})).status
  const statuses = []
  // One was read to make the alert.
  for (let n = 0; n < 60; n += 1) statuses.push(await read())
  expect([new Set(statuses.slice(0, -1)), statuses.at(-1)]).toEqual([new Set([200]), 429])
  const { status, body, headers } = await session.post(address, alertDraft())
  expect([status, body.codigo]).toEqual([429, 'muitas_tentativas'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  const other = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
  expect(await read(other)).toBe(200)
})

describe('an ADMIN', () => {
  const admin = async () => suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))

  test('an ADMIN sees all alerts with their history, and no values of another identity', async () => {
    const open = await publish()
    const restricted = await publish({ papeisRls: ['Regional'] })
    values.set('todos', 7)
    const of = { visual: 'tabela', linha: { operadora: 'CNU' } }
    tables.set('todos', [['CNU', 5]])
    const shown = await make(open, { ...of, nomeAlerta: 'Aberto' })
    const hidden = await make(restricted, { ...of, nomeAlerta: 'Restrito' })
    const session = await admin()
    const { body } = await session.get('/alertas?ordem=nomeAlerta')
    expect(body).toMatchObject([
      { nomeAlerta: 'Aberto', valor: 5, linha: { operadora: 'CNU' }, mostraValores: true },
      { nomeAlerta: 'Restrito', valor: null, linha: null, mostraValores: false },
    ])
    const shownValue = async (id: number) => (await session.get(`/alertas/${id}/avaliacoes`)).body[0].valor
    expect([await shownValue(shown.idAlerta), await shownValue(hidden.idAlerta)]).toEqual([5, null])
    expect((await hidden.session.get(`/alertas/${hidden.idAlerta}`)).body.valor).toBe(5)
    expect((await session.get('/alertas?busca=restr')).body).toHaveLength(1)
  })

  test('an ADMIN who deletes an alert whose filters they do not see leaves their names in the audit trail', async () => {
    values.set('todos', 7)
    const filtros = { sexo: 'feminino', operadora: '' }
    const { idAlerta } = await make(await publish({ papeisRls: ['Regional'] }), { filtros })
    const session = await admin()
    expect((await session.get(`/alertas/${idAlerta}`)).body).toMatchObject({ filtros: {} })
    expect((await session.del(`/alertas/${idAlerta}`)).status).toBe(204)
    const [line] = await auditOf('alert.deleted')
    expect(line?.detalhes).toMatchObject({ antes: { filtros: ['sexo'] } })
    expect(JSON.stringify(line?.detalhes)).not.toContain('feminino')
  })

  test('an ADMIN pauses and deletes the alert of another person, but does not change it', async () => {
    values.set('todos', 7)
    const { idAlerta, session: own } = await make(await publish())
    const session = await admin()
    const paused = await session.put(`/alertas/${idAlerta}/ativo`, { ativo: false })
    expect(paused.body).toMatchObject({ ativo: false, proximaEm: null })
    expect((await session.put(`/alertas/${idAlerta}`, alertDraft())).status).toBe(403)
    values.set('todos', 700)
    await evaluate()
    expect((await own.get(`/alertas/${idAlerta}/avaliacoes`)).body).toHaveLength(1)
    expect((await own.put(`/alertas/${idAlerta}/ativo`, { ativo: true })).body.proximaEm).not.toBeNull()
    expect((await session.del(`/alertas/${idAlerta}`)).status).toBe(204)
    expect((await own.get(`/alertas/${idAlerta}`)).status).toBe(404)
  })

  test('an ADMIN gets the secret of a webhook once, and keeps it while the address stays', async () => {
    values.set('todos', 7)
    const report = await publish()
    const { made, session, idAlerta } = await make(report, { webhook: suite.hook }, { tipoUsuario: 'ADMIN' })
    expect(made.body.segredo).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(made.body.alerta).toMatchObject({ webhook: suite.hook, hostWebhook: new URL(suite.hook).host })
    const again = await session.put(`/alertas/${idAlerta}`, alertDraft({ webhook: suite.hook, limite: 8 }))
    expect([again.status, again.body.segredo]).toEqual([200, null])
    const renewed = await session.post(`/alertas/${idAlerta}/segredo`)
    expect(renewed.body.segredo).toMatch(/^whsec_/)
    expect(renewed.body.segredo).not.toBe(made.body.segredo)
    const other = await session.put(
      `/alertas/${idAlerta}`,
      alertDraft({ webhook: 'https://exemplo.com.br/x' }),
    )
    expect(other.body.segredo).toMatch(/^whsec_/)
    // Its address may contain a key.
    const lines = JSON.stringify([await auditOf('alert.created'), await auditOf('alert.updated')])
    expect([lines.includes('localhost'), lines.includes('segredo')]).toEqual([true, false])
    const stored = await suite.app.db.selectFrom('alerta').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain('exemplo.com.br/x')
  })

  test('an ADMIN names no webhook in a private network', async () => {
    const { made } = await make(await publish(), { webhook: 'https://10.0.0.8/x' }, { tipoUsuario: 'ADMIN' })
    expect([made.status, made.body.campos?.webhook]).toEqual([422, expect.stringMatching(/rede interna/)])
  })

  test('an ADMIN confirms that it is them before a webhook is named', async () => {
    values.set('todos', 7)
    const report = await publish()
    const { session } = await make(report, {}, { tipoUsuario: 'ADMIN' })
    suite.app.clock.offsetMs += 11 * 60_000
    const { status, body } = await session.post(
      `/usuarios/relatorio/${report.idRelatorio}/alertas`,
      alertDraft({ webhook: suite.hook }),
    )
    expect([status, body.codigo]).toEqual([403, 'reautenticacao_necessaria'])
  })

  test('an ADMIN tests a DAX query, which is audited', async () => {
    const report = await publish({}, 'microsoft')
    const session = await admin()
    const address = `/usuarios/relatorio/${report.idRelatorio}/alertas`
    expect((await session.get(`${address}/opcoes`)).body).toMatchObject({ origem: 'DAX', podeWebhook: true })
    const consulta = 'EVALUATE ROW("v", [Custo])'
    expect((await session.post(`${address}/consulta`, { consulta })).body).toEqual({ valor: 1 })
    expect(await auditOf('alert.query-tested')).toMatchObject([
      { detalhes: { consulta: 'EVALUATE ROW("…", [Custo])' } },
    ])
    suite.provider.answer('runQuery', () => ({
      status: 400,
      body: { error: { code: 'DatasetExecuteQueriesError' } },
    }))
    const refused = await session.post(`${address}/consulta`, { consulta })
    expect([refused.status, refused.body.codigo]).toEqual([409, 'consulta_recusada'])
  })

  test('an ADMIN sees the DAX query of another ADMIN only where all see the same rows', async () => {
    const query = {
      origem: 'DAX' as const,
      consulta: 'EVALUATE ROW("v", CALCULATE([Custo], P[Nome] = "Ana Souza"))',
      visual: null,
      coluna: null,
      pagina: null,
    }
    suite.provider.answer('runQuery', () => ({ body: { results: [{ tables: [{ rows: [{ '[v]': 1 }] }] }] } }))
    const other = await admin()
    for (const [report, seen] of [
      [{}, query.consulta],
      [{ enviaIdentidade: true }, null],
    ] as const) {
      const { idAlerta, session, made } = await make(await publish(report, 'microsoft'), query, {
        tipoUsuario: 'ADMIN',
      })
      expect(made.body).toMatchObject({ alerta: { consulta: query.consulta } })
      expect((await session.get(`/alertas/${idAlerta}`)).body.consulta).toBe(query.consulta)
      expect((await other.get(`/alertas/${idAlerta}`)).body.consulta).toBe(seen)
      expect((await other.del(`/alertas/${idAlerta}`)).status).toBe(204)
    }
    const consulta = 'EVALUATE ROW("…", CALCULATE([Custo], P[Nome] = "…"))'
    const created = { detalhes: { depois: { consulta } } }
    expect(await auditOf('alert.created')).toMatchObject([created, created])
    const deleted = { detalhes: { antes: { consulta } } }
    expect(await auditOf('alert.deleted')).toMatchObject([deleted, deleted])
  })
})

test('the options say why a report has no alerts', async () => {
  const optionsOf = async (report: { idRelatorio: number }) => {
    const { session } = await make(report)
    return (await session.get(`/usuarios/relatorio/${report.idRelatorio}/alertas/opcoes`)).body
  }
  expect(await optionsOf(await publish())).toEqual({
    origem: 'VISUAL',
    impedimento: null,
    semEmail: null,
    emailSemValores: false,
    podeWebhook: false,
  })
  expect(await optionsOf(await publish({ sensivel: true }))).toMatchObject({ emailSemValores: true })
  expect(await optionsOf(await publish({}, 'microsoft'))).toMatchObject({
    origem: null,
    impedimento: expect.stringMatching(/só um administrador/),
  })
  expect(await optionsOf(await publish({ tipoRelatorio: 'PAGINADO' }))).toMatchObject({ origem: null })
})

test('a deleted report takes its alerts with it, and a person their own', async () => {
  const report = await publish()
  const { user, idAlerta } = await watch(report)
  await createEvaluation(suite.app, { idAlerta })
  await suite.app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', user.idUsuario).execute()
  await suite.app.db.deleteFrom('relatorio').where('idRelatorio', '=', report.idRelatorio).execute()
  expect(await suite.app.db.selectFrom('alertaAvaliacao').selectAll().execute()).toEqual([])
})
