import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ageSessions, expectReauthenticationDemanded } from '../../../test/accounts/old-session.ts'
import { connectedScreen, createKiosk } from '../../../test/distribution/kiosks.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { createUser } from '../../../test/users.ts'

const { suite, publish } = embeddingSuite()

const start = async (fields: Parameters<typeof publish>[0] = {}) => {
  const { report, workspace } = await publish(fields)
  const admin = await createUser(suite.app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Gestora' })
  const { idRelatorio } = report
  const draft = (more: object = {}) => ({
    nome: `Telão ${randomUUID()}`,
    paginas: [{ idRelatorio, segundos: 30 }],
    ...more,
  })
  return { report, workspace, admin, asAdmin: await suite.app.as(admin), draft }
}

const linesOf = (acao: string) =>
  suite.app.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).execute()

describe('POST and PUT /usuarios/telao', () => {
  test('POST and PUT /usuarios/telao store the pages in their order, and audit both changes', async () => {
    const { report, asAdmin, draft } = await start()
    const { report: other } = await publish({ nomeRelatorio: 'Outro' })
    const first = { idRelatorio: report.idRelatorio, pagina: 'p1', tituloPagina: 'Resumo', segundos: 20 }
    const second = { idRelatorio: other.idRelatorio, pagina: '', segundos: 45 }
    const body = draft({ nome: 'Recepção', aparencia: 'ESCURO', paginas: [first, second] })
    const created = await asAdmin.post('/usuarios/telao', body)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      nome: 'Recepção',
      aparencia: 'ESCURO',
      ativo: true,
      validadeDias: 90,
      conectadaEm: null,
      paginas: [
        { ...first, nomeRelatorio: 'Relatório', impedimento: null },
        { ...second, pagina: null, tituloPagina: null, nomeRelatorio: 'Outro' },
      ],
    })
    const { idTelao, versao } = created.body
    const reversed = { ...body, paginas: [second, first], ativo: false }
    const changed = await asAdmin.put(`/usuarios/telao/${idTelao}`, reversed, { 'if-match': `"${versao}"` })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      ativo: false,
      aparencia: 'ESCURO',
      paginas: [{ segundos: 45 }, { segundos: 20 }],
    })
    const outdated = await asAdmin.put(`/usuarios/telao/${idTelao}`, body, { 'if-match': `"${versao}"` })
    expect(outdated.status).toBe(412)
    const listed = await asAdmin.get('/usuarios/telao?busca=recepcao')
    expect(listed.body.map(({ nome }: { nome: string }) => nome)).toEqual(['Recepção'])
    expect(await linesOf('kiosk.created')).toMatchObject([{ objeto: `telao:${idTelao}` }])
    expect(await linesOf('kiosk.updated')).toMatchObject([{ objeto: `telao:${idTelao}` }])
  })

  test.each([
    ['no page', { paginas: [] }, { paginas: 'Acrescente ao menos uma página.' }],
    ['a page of 4 s', 4, { 'paginas.0.segundos': 'Informe de 5 a 3600 segundos.' }],
    ['a validity of 0 days', { validadeDias: 0 }, { validadeDias: 'Informe de 1 a 365 dias.' }],
    ['no name', { nome: ' ' }, { nome: 'É necessário preencher este campo.' }],
  ])('POST and PUT /usuarios/telao refuse %s at its field', async (_, change, campos) => {
    const { report, asAdmin, draft } = await start()
    const { idRelatorio } = report
    const more = typeof change === 'number' ? { paginas: [{ idRelatorio, segundos: change }] } : change
    const { status, body } = await asAdmin.post('/usuarios/telao', draft(more))
    expect([status, body.campos]).toEqual([422, campos])
  })

  test('POST and PUT /usuarios/telao refuse a used name, and a report that does not exist', async () => {
    const { asAdmin, draft } = await start()
    await createKiosk(suite.app, [], { nome: 'Recepção' })
    const used = await asAdmin.post('/usuarios/telao', draft({ nome: 'RECEPCAO' }))
    expect([used.status, used.body.codigo]).toEqual([409, 'telao_ja_cadastrado'])
    const paginas = [{ idRelatorio: 2_000_000_000, segundos: 30 }]
    const missing = await asAdmin.post('/usuarios/telao', draft({ paginas }))
    expect([missing.status, Object.keys(missing.body.campos)]).toEqual([422, ['paginas']])
  })

  test('POST and PUT /usuarios/telao refuse a paginated report, and one with row rules until the kiosk has an identity', async () => {
    const { asAdmin, draft } = await start({ nomeRelatorio: 'Por linha', papeisRls: ['Operadora'] })
    const refused = await asAdmin.post('/usuarios/telao', draft())
    expect(refused.status).toBe(422)
    expect(refused.body.campos.paginas).toMatch(/“Por linha”.*restringe as linhas.*“Usuário enviado”/)
    const named = draft({ usuarioIdentidade: 'telao@exemplo.com.br', identidadeRls: 'PR' })
    expect((await asAdmin.post('/usuarios/telao', named)).status).toBe(201)

    const { report } = await publish({ nomeRelatorio: 'Fatura', tipoRelatorio: 'PAGINADO' })
    const paginas = [{ idRelatorio: report.idRelatorio, segundos: 30 }]
    const paginated = await asAdmin.post('/usuarios/telao', draft({ paginas }))
    expect(paginated.body.campos.paginas).toBe('“Fatura”: Relatórios paginados não passam em telões.')
    expect(await suite.app.db.selectFrom('telao').select('nome').execute()).toEqual([{ nome: named.nome }])
  })

  /*
   * The kind of fault: a rule for viewers without an account is written for guests only. The same
   * reports are refused to both (reports/visibility/shown-without-account.ts).
   */
  test.each([
    ['sensitive data', { sensivel: true }, 'Relatórios com dados sensíveis não passam em telões.'],
    ['pages on paper', { tipoRelatorio: 'PAGINADO' as const }, 'Relatórios paginados não passam em telões.'],
  ])(
    'POST and PUT /usuarios/telao refuse a report with %s, in a new kiosk and in an existing one',
    async (_, fields, sentence) => {
      const { asAdmin, draft } = await start()
      const { report } = await publish({ nomeRelatorio: 'Óbitos', ...fields })
      const paginas = [{ idRelatorio: report.idRelatorio, segundos: 30 }]
      const created = await asAdmin.post('/usuarios/telao', draft({ paginas }))
      expect([created.status, created.body.campos]).toEqual([422, { paginas: `“Óbitos”: ${sentence}` }])
      const kiosk = await asAdmin.post('/usuarios/telao', draft())
      const changed = await asAdmin.put(`/usuarios/telao/${kiosk.body.idTelao}`, draft({ paginas }))
      expect([changed.status, changed.body.campos]).toEqual([422, { paginas: `“Óbitos”: ${sentence}` }])
      expect(await suite.app.db.selectFrom('telaoPagina').select('nomeRelatorio').execute()).toEqual([
        { nomeRelatorio: 'Relatório' },
      ])
    },
  )

  test('POST and PUT /usuarios/telao require a recent proof for an identity: the screen shows the rows of that person', async () => {
    const { asAdmin, draft } = await start()
    const { body: kiosk } = await asAdmin.post('/usuarios/telao', draft())
    suite.app.clock.offsetMs = 11 * 60_000
    const named = draft({ usuarioIdentidade: 'ana@exemplo.com.br' })
    const url = `/usuarios/telao/${kiosk.idTelao}`
    expect((await asAdmin.post('/usuarios/telao', named)).body.codigo).toBe('reautenticacao_necessaria')
    expect((await asAdmin.put(url, named)).body.codigo).toBe('reautenticacao_necessaria')
    expect((await asAdmin.put(url, draft())).status).toBe(200)
  })

  test('POST and PUT /usuarios/telao require a recent proof to clear an identity, or a security identity: other rows are shown', async () => {
    const { asAdmin, draft } = await start()
    const identity = { usuarioIdentidade: 'ana@exemplo.com.br', identidadeRls: 'CNU' }
    const { body: kiosk } = await asAdmin.post('/usuarios/telao', draft(identity))
    ageSessions(suite.app)
    const url = `/usuarios/telao/${kiosk.idTelao}`
    for (const cleared of [{ usuarioIdentidade: null }, { identidadeRls: null }])
      expectReauthenticationDemanded(await asAdmin.put(url, draft(cleared)))
    expect((await asAdmin.put(url, draft(identity))).status).toBe(200)
  })

  // The kind: an identity stays, and what it is applied to changes, as with a moved registration.
  test('POST and PUT /usuarios/telao require a recent proof to add a report to a kiosk with an identity, and none to take one away', async () => {
    const { report, asAdmin, draft } = await start()
    const other = await publish({ nomeRelatorio: 'Por operadora', papeisRls: ['Operadora'] })
    const both = [report, other.report].map(({ idRelatorio }) => ({ idRelatorio, segundos: 30 }))
    const identity = { usuarioIdentidade: 'ana@exemplo.com.br' }
    const { body: kiosk } = await asAdmin.post('/usuarios/telao', draft(identity))
    const { body: open } = await asAdmin.post('/usuarios/telao', draft({ nome: 'Sem identidade' }))
    ageSessions(suite.app)
    const url = `/usuarios/telao/${kiosk.idTelao}`
    expectReauthenticationDemanded(await asAdmin.put(url, draft({ ...identity, paginas: both })))
    expect((await asAdmin.put(url, draft(identity))).status).toBe(200)
    const plain = await publish({ nomeRelatorio: 'Para todos' })
    const paginas = [report, plain.report].map(({ idRelatorio }) => ({ idRelatorio, segundos: 30 }))
    const added = await asAdmin.put(
      `/usuarios/telao/${open.idTelao}`,
      draft({ nome: 'Sem identidade', paginas }),
    )
    expect(added.status).toBe(200)
  })

  test('POST and PUT /usuarios/telao store networks, and require a recent proof for other ones', async () => {
    const { asAdmin, draft } = await start()
    const wrong = await asAdmin.post('/usuarios/telao', draft({ redes: ['192.0.2.0/33'] }))
    expect([wrong.status, Object.keys(wrong.body.campos)]).toEqual([422, ['redes.0']])
    const redes = ['192.0.2.0/24', '2001:DB8::/32']
    const { status, body } = await asAdmin.post('/usuarios/telao', draft({ redes }))
    expect([status, body.redes]).toEqual([201, ['192.0.2.0/24', '2001:db8::/32']])
    suite.app.clock.offsetMs = 11 * 60_000
    const url = `/usuarios/telao/${body.idTelao}`
    expect((await asAdmin.put(url, draft({ redes }))).status).toBe(200)
    expect((await asAdmin.put(url, draft())).body.redes).toEqual(body.redes)
    for (const others of [[], ['0.0.0.0/0']]) {
      const refused = await asAdmin.put(url, draft({ redes: others }))
      expect(refused.body.codigo).toBe('reautenticacao_necessaria')
    }
  })
})

describe('the pages of the rotation', () => {
  test('the pages of the rotation keep their ids when the kiosk is saved: a running screen does not start again', async () => {
    const { report, asAdmin, draft } = await start()
    const { report: other } = await publish({ nomeRelatorio: 'Outro' })
    const first = { idRelatorio: report.idRelatorio, pagina: 'p1', segundos: 20 }
    const second = { idRelatorio: other.idRelatorio, segundos: 30 }
    const idsOf = ({ body }: { body: { paginas: { idTelaoPagina: number }[] } }) =>
      body.paginas.map(({ idTelaoPagina }) => idTelaoPagina)
    // The rotation shows the first page twice.
    const created = await asAdmin.post('/usuarios/telao', draft({ paginas: [first, second, first] }))
    const [one, two, three] = idsOf(created)
    const save = async (paginas: object[]) => {
      const answer = await asAdmin.put(`/usuarios/telao/${created.body.idTelao}`, draft({ paginas }))
      expect(answer.status).toBe(200)
      return answer
    }
    expect(idsOf(await save([first, second, first]))).toEqual([one, two, three])
    const moved = await save([{ ...second, segundos: 45 }, { ...first, tituloPagina: 'Resumo' }, first])
    expect(idsOf(moved)).toEqual([two, one, three])
    expect(moved.body.paginas).toMatchObject([
      { segundos: 45, nomeRelatorio: 'Outro' },
      { tituloPagina: 'Resumo' },
      { tituloPagina: null },
    ])
    // Another page of the same report is a new one.
    const changed = idsOf(await save([{ ...first, pagina: 'p2' }, second]))
    expect(changed[1]).toBe(two)
    expect([one, two, three]).not.toContain(changed[0])
    expect(await suite.app.db.selectFrom('telaoPagina').select('posicao').execute()).toHaveLength(2)
  })

  test('the pages of the rotation say why one is left out: the report was deleted, or its ADMIN lost it', async () => {
    const { report, workspace, asAdmin } = await start()
    const { report: gone } = await publish({ nomeRelatorio: 'Excluído' })
    const kiosk = await createKiosk(suite.app, [report.idRelatorio, gone.idRelatorio])
    const connector = await createUser(suite.app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Bia' })
    const credential = await connectedScreen(suite.app, {
      idTelao: kiosk.idTelao,
      conectadaPor: connector.idUsuario,
    })
    const screen = suite.app.withHeaders({ authorization: `Bearer ${credential}` })
    const url = `/usuarios/telao/${kiosk.idTelao}`
    const skipReasons = async () =>
      (await asAdmin.get(url)).body.paginas.map(({ impedimento }: { impedimento: string }) => impedimento)
    const shown = async () =>
      (await screen.get('/telao/rotacao')).body.paginas.map(
        (page: { idRelatorio: number }) => page.idRelatorio,
      )
    expect(await skipReasons()).toEqual([null, null])
    expect(await shown()).toEqual([report.idRelatorio, gone.idRelatorio])

    expect((await asAdmin.del(`/usuarios/relatorio/${gone.idRelatorio}`)).status).toBe(204)
    expect(await skipReasons()).toEqual([null, 'O relatório foi excluído.'])
    expect(await shown()).toEqual([report.idRelatorio])

    const setConnector = (fields: object) =>
      suite.app.db.updateTable('usuario').set(fields).where('idUsuario', '=', connector.idUsuario).execute()
    await setConnector({ tipoUsuario: 'USER' })
    expect((await skipReasons())[0]).toMatch(/^Bia conectou a tela e não pode mais ver este relatório/)
    expect(await shown()).toEqual([])
    const { idUsuario } = connector
    await suite.app.db
      .insertInto('relatorioUsuario')
      .values({ idUsuario, idRelatorio: report.idRelatorio })
      .execute()
    expect(await shown()).toEqual([report.idRelatorio])
    await setConnector({ situacao: 'BLOQUEADO' })
    expect(await shown()).toEqual([])

    // The registration changed after the kiosk was saved.
    await setConnector({ situacao: 'ATIVO', tipoUsuario: 'ADMIN' })
    await suite.app.db.updateTable('relatorio').set({ enviaIdentidade: true }).execute()
    expect((await skipReasons())[0]).toMatch(/restringe as linhas por pessoa/)
    expect(await shown()).toEqual([])
    expect(workspace.idGrupo).toBeTruthy()
  })

  test('the pages of the rotation leave out a report that is marked as sensitive later, and both sides say why', async () => {
    const { report, admin, asAdmin } = await start()
    const { report: other } = await publish({ nomeRelatorio: 'Outro' })
    const { idTelao } = await createKiosk(suite.app, [report.idRelatorio, other.idRelatorio])
    const credential = await connectedScreen(suite.app, { idTelao, conectadaPor: admin.idUsuario })
    const screen = suite.app.withHeaders({ authorization: `Bearer ${credential}` })
    const mark = async ({ idRelatorio }: typeof report, sensivel: boolean) => {
      const { body: record } = await asAdmin.get(`/usuarios/relatorio/${idRelatorio}`)
      const saved = await asAdmin.put(`/usuarios/relatorio/${idRelatorio}`, { ...record, sensivel })
      expect(saved.status).toBe(200)
    }
    const rotation = async () => {
      const { body } = await screen.get('/telao/rotacao')
      return [body.paginas.map((page: { idRelatorio: number }) => page.idRelatorio), body.motivo]
    }
    const skipReasons = async () =>
      (await asAdmin.get(`/usuarios/telao/${idTelao}`)).body.paginas.map(
        ({ impedimento }: { impedimento: string }) => impedimento,
      )
    const sentence = 'Relatórios com dados sensíveis não passam em telões.'
    await mark(report, true)
    expect(await rotation()).toEqual([[other.idRelatorio], null])
    expect(await skipReasons()).toEqual([sentence, null])
    await mark(other, true)
    expect(await rotation()).toEqual([[], sentence])
    expect(await skipReasons()).toEqual([sentence, sentence])
    await mark(report, false)
    expect(await rotation()).toEqual([[report.idRelatorio], null])
  })

  test('the pages of the rotation are offered as the provider names them', async () => {
    const { report, asAdmin } = await start()
    const { status, body } = await asAdmin.get(`/usuarios/telao/relatorio/${report.idRelatorio}/paginas`)
    expect(status).toBe(200)
    expect(body).toEqual([
      { nome: 'ReportSection1', titulo: 'Resumo' },
      { nome: 'ReportSection2', titulo: 'Detalhes' },
    ])
    expect((await asAdmin.get('/usuarios/telao/relatorio/999999/paginas')).status).toBe(404)
  })
})
