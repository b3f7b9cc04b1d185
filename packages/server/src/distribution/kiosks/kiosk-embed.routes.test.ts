import { describe, expect, test } from 'vitest'
import { connectedScreen, createKiosk } from '../../../test/distribution/kiosks.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { createUser } from '../../../test/users.ts'

const { suite, publish } = embeddingSuite()

const start = async (
  report: Parameters<typeof publish>[0] = {},
  fields: Parameters<typeof createKiosk>[2] = {},
) => {
  const published = await publish(report)
  const { idRelatorio } = published.report
  const admin = await createUser(suite.app, { tipoUsuario: 'ADMIN', emailUsuario: 'gestora@exemplo.com.br' })
  const kiosk = await createKiosk(suite.app, [idRelatorio], fields)
  const credential = await connectedScreen(suite.app, {
    idTelao: kiosk.idTelao,
    conectadaPor: admin.idUsuario,
  })
  const screen = suite.app.withHeaders({ authorization: `Bearer ${credential}` })
  const open = (id = kiosk.pages[0]) => screen.post(`/telao/paginas/${id}/embed`)
  const dataTime = (id = kiosk.pages[0]) => screen.get(`/telao/paginas/${id}/dados`)
  return { ...published, admin, kiosk, open, dataTime }
}

const generated = () =>
  suite.provider.seen.filter(({ path }) => path.endsWith('/GenerateToken')).map(({ body }) => body)
const linesOf = (acao: string) =>
  suite.app.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).execute()

describe('POST /telao/paginas/:id/embed', () => {
  test('POST /telao/paginas/:id/embed issues the token of a page of its own kiosk, and audits it as the kiosk', async () => {
    const { report, kiosk, open } = await start()
    await suite.app.db.updateTable('telaoPagina').set({ pagina: 'ReportSection2' }).execute()
    const { status, body } = await open()
    expect(status).toBe(200)
    const { idRelatorio } = report
    expect(body).toMatchObject({ idRelatorio, pageName: 'ReportSection2', embedToken: expect.any(String) })
    expect(await linesOf('kiosk.embed-issued')).toMatchObject([
      { idUsuario: null, objeto: `telao:${kiosk.idTelao}`, detalhes: { idRelatorio, identidade: null } },
    ])
  })

  test('POST /telao/paginas/:id/embed carries the identity of the kiosk, never that of the ADMIN', async () => {
    const { open } = await start(
      { papeisRls: ['Operadora'] },
      { usuarioIdentidade: 'telao@exemplo.com.br', identidadeRls: 'PR' },
    )
    expect((await open()).status).toBe(200)
    const [sent = ''] = generated()
    expect(JSON.parse(sent).identities).toMatchObject([
      { username: 'telao@exemplo.com.br', roles: ['Operadora'], customData: 'PR' },
    ])
    expect(sent).not.toContain('gestora@exemplo.com.br')
  })

  test('POST /telao/paginas/:id/embed counts no view and no usage', async () => {
    const { open } = await start()
    await open()
    for (const table of ['visualizacao', 'usoRelatorio', 'usoPessoa'] as const) {
      expect(await suite.app.db.selectFrom(table).selectAll().execute(), table).toEqual([])
    }
    expect(await linesOf('embed.issued')).toEqual([])
  })

  test('POST /telao/paginas/:id/embed answers 404 for a page of another kiosk, of an inactive one, and of a report with rows of people', async () => {
    const { report, open } = await start()
    const other = await createKiosk(suite.app, [report.idRelatorio])
    expect((await open(other.pages[0])).status).toBe(404)
    await suite.app.db.updateTable('telao').set({ ativo: false }).execute()
    expect((await open()).status).toBe(404)
    await suite.app.db.updateTable('telao').set({ ativo: true }).execute()
    await suite.app.db
      .updateTable('relatorio')
      .set({ papeisRls: ['Operadora'] })
      .execute()
    expect((await open()).status).toBe(404)
    await suite.app.db.updateTable('relatorio').set({ papeisRls: [], tipoRelatorio: 'PAGINADO' }).execute()
    expect((await open()).status).toBe(404)
    expect(generated()).toEqual([])
  })

  test('POST /telao/paginas/:id/embed answers 404 for a report that was marked as sensitive, also for the time of its data', async () => {
    const { open, dataTime } = await start()
    await suite.app.db.updateTable('relatorio').set({ sensivel: true }).execute()
    expect([(await open()).status, (await dataTime()).status]).toEqual([404, 404])
    expect(generated()).toEqual([])
  })

  test.each([
    [
      'loses the report, which is marked as sensitive,',
      () => suite.app.db.updateTable('relatorio').set({ sensivel: true }).execute(),
      404,
    ],
    ['is disconnected', () => suite.app.db.deleteFrom('telaoTela').execute(), 404],
    [
      'gets another identity',
      () => suite.app.db.updateTable('telao').set({ usuarioIdentidade: 'x' }).execute(),
      503,
    ],
  ])(
    'POST /telao/paginas/:id/embed returns no token when the screen %s while the provider answers',
    async (_, change, expected) => {
      const { open } = await start({ enviaIdentidade: true }, { usuarioIdentidade: 'telao' })
      const held = suite.provider.hold('generateToken')
      const opening = open()
      const release = await held
      await change()
      release()
      const { status, body } = await opening
      expect(status).toBe(expected)
      expect(body).not.toHaveProperty('embedToken')
      expect(await linesOf('kiosk.embed-issued')).toEqual([])
    },
  )

  test('POST /telao/paginas/:id/embed answers 404 for a page that left the rotation, whose id no later page gets', async () => {
    const { report, admin, kiosk, open } = await start()
    const other = await publish({ nomeRelatorio: 'Outro' })
    const asAdmin = await suite.app.as(admin)
    const save = async (idRelatorio: number) => {
      const body = { nome: kiosk.nome, paginas: [{ idRelatorio, segundos: 30 }] }
      const answer = await asAdmin.put(`/usuarios/telao/${kiosk.idTelao}`, body)
      expect(answer.status).toBe(200)
      return answer.body.paginas[0].idTelaoPagina
    }
    expect((await open()).status).toBe(200)
    const later = await save(other.report.idRelatorio)
    expect((await open()).status).toBe(404)
    expect((await open(later)).body).toMatchObject({ nomeRelatorio: 'Outro' })
    const again = await save(report.idRelatorio)
    expect([...kiosk.pages, later]).not.toContain(again)
    expect((await open()).status).toBe(404)
  })

  test('POST /telao/paginas/:id/embed issues at most 30 tokens a minute to a screen; another screen is unaffected', async () => {
    const { report, admin, open } = await start()
    const statuses = []
    for (let n = 0; n < 31; n += 1) statuses.push(await open())
    expect(statuses.slice(0, 30).map(({ status }) => status)).toEqual(Array(30).fill(200))
    expect([statuses[30]?.status, statuses[30]?.body.codigo]).toEqual([429, 'muitas_tentativas'])
    expect(Number(statuses[30]?.headers['retry-after'])).toBeGreaterThan(0)
    expect(await linesOf('kiosk.embed-issued')).toHaveLength(30)
    const other = await createKiosk(suite.app, [report.idRelatorio])
    const { idUsuario: conectadaPor } = admin
    const credential = await connectedScreen(suite.app, { idTelao: other.idTelao, conectadaPor })
    const screen = suite.app.withHeaders({ authorization: `Bearer ${credential}` })
    expect((await screen.post(`/telao/paginas/${other.pages[0]}/embed`)).status).toBe(200)
  })
})

describe('GET /telao/paginas/:id/dados', () => {
  test("GET /telao/paginas/:id/dados returns when the page's data was refreshed, and records no use", async () => {
    const { dataTime } = await start()
    const completed = { requestId: 'r', refreshType: 'Scheduled', status: 'Completed' }
    const [startTime, endTime] = ['2025-11-23T10:55:00Z', '2025-11-23T11:00:00Z']
    suite.provider.answer('refreshes', () => ({ body: { value: [{ ...completed, startTime, endTime }] } }))
    expect(await dataTime()).toMatchObject({
      status: 200,
      body: { atualizadosEm: '2025-11-23T11:00:00.000Z' },
    })
    expect(await suite.app.db.selectFrom('usoRelatorio').selectAll().execute()).toEqual([])
  })

  test('GET /telao/paginas/:id/dados returns null when the provider does not say', async () => {
    const { dataTime } = await start()
    suite.provider.answer('refreshes', () => ({ status: 403, body: { error: { code: 'Forbidden' } } }))
    expect(await dataTime()).toMatchObject({ status: 200, body: { atualizadosEm: null } })
  })

  test('GET /telao/paginas/:id/dados answers 404 for a page of another kiosk, and 401 to no screen', async () => {
    const { report, dataTime, kiosk } = await start()
    const other = await createKiosk(suite.app, [report.idRelatorio])
    expect((await dataTime(other.pages[0])).status).toBe(404)
    const { status } = await suite.app.anonymous.get(`/telao/paginas/${kiosk.pages[0]}/dados`)
    expect(status).toBe(401)
  })
})
