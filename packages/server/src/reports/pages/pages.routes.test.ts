import { pageTitles } from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let person: Awaited<ReturnType<typeof createUser>>
let user: Awaited<ReturnType<TestApp['as']>>
let idRelatorio: number
let shown: Record<string, unknown>
const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  person = await createUser(app)
  user = await app.as(person)
  const { idPowerBi } = await createConnection(app)
  const group = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Saúde' })
  const report = await createReport(app, {
    idGrupoRelatorio: group.idGrupoRelatorio,
    nomeRelatorio: 'Entregas',
  })
  idRelatorio = report.idRelatorio
  const { nomeRelatorio, reportId } = report
  shown = { idRelatorio, nomeRelatorio, nomeGrupo: 'Saúde', groupId: group.idGrupo, reportId }
})

const empty = Object.entries(pageTitles).map(([rota, titulo]) => ({
  rota,
  titulo,
  idRelatorio: null,
  relatorio: null,
}))

describe('GET /paginas', () => {
  test('GET /paginas lists all pages to every signed-in user before any report is bound', async () => {
    for (const caller of [admin, user]) {
      const { status, body } = await caller.get('/paginas')
      expect([status, body]).toEqual([200, empty])
    }
    expect((await user.get('/paginas/senhas-liberadas')).body).toEqual({
      rota: 'senhas-liberadas',
      titulo: 'Senhas liberadas',
      idRelatorio: null,
      relatorio: null,
    })
    expect((await app.anonymous.get('/paginas')).status).toBe(401)
    expect((await app.anonymous.get('/paginas/analise')).status).toBe(401)
  })

  test('GET /paginas shows a bound report only to users who may see it', async () => {
    const bound = await admin.put('/paginas/analise', { idRelatorio })
    const page = { rota: 'analise', titulo: 'Análise de entregas', idRelatorio, relatorio: shown }
    expect([bound.status, bound.body]).toEqual([200, page])
    const all = [page, ...empty.slice(1)]
    expect((await admin.get('/paginas')).body).toEqual(all)
    expect((await admin.get('/paginas/analise')).body).toEqual(page)

    const ungranted = await user.get('/paginas/analise')
    expect([ungranted.status, ungranted.body.relatorio]).toEqual([200, null])
    expect((await user.get('/paginas')).body).toEqual(empty)

    await grantReport(app, person.idUsuario, idRelatorio)
    expect((await user.get('/paginas/analise')).body).toEqual(page)
    expect((await user.get('/paginas')).body).toEqual(all)
    expect((await user.get('/paginas/painel')).body.relatorio).toBeNull()

    await app.db.deleteFrom('relatorioUsuario').execute()
    expect((await user.get('/paginas')).body).toEqual(empty)
  })

  test('GET /paginas shows a bound report to the members of a profile', async () => {
    await admin.put('/paginas/bi-saude', { idRelatorio })
    const { idPerfil } = await app.db
      .insertInto('perfil')
      .values({ nomePerfil: 'Gestores' })
      .returning('idPerfil')
      .executeTakeFirstOrThrow()
    await app.db.insertInto('perfilRelatorio').values({ idPerfil, idRelatorio }).execute()
    expect((await user.get('/paginas/bi-saude')).body.relatorio).toBeNull()
    await app.db.insertInto('perfilUsuario').values({ idPerfil, idUsuario: person.idUsuario }).execute()
    expect((await user.get('/paginas/bi-saude')).body.relatorio).toEqual(shown)
  })

  test('GET /paginas answers 404 for an unknown page', async () => {
    for (const rota of ['outra', 'ANALISE', 'constructor', '%20', '1']) {
      expect((await admin.get(`/paginas/${rota}`)).status).toBe(404)
      expect((await admin.put(`/paginas/${rota}`, { idRelatorio })).status).toBe(404)
    }
  })
})

describe('PUT /paginas/:rota', () => {
  const audited = () =>
    app.db
      .selectFrom('auditoria')
      .select(['objeto', 'detalhes'])
      .where('acao', '=', 'page.bound')
      .orderBy('idAuditoria')
      .execute()

  test('PUT /paginas/:rota replaces and unbinds, accepts one report on several pages, and audits each change', async () => {
    await admin.put('/paginas/painel', { idRelatorio })
    await admin.put('/paginas/perfil', { idRelatorio: String(idRelatorio) })
    const other = await createReport(app, {
      idGrupoRelatorio: (await admin.get('/usuarios/workspace')).body[0].idGrupoRelatorio,
      nomeRelatorio: 'Outro',
    })
    const replaced = await admin.put('/paginas/painel', { idRelatorio: other.idRelatorio })
    expect(replaced.body.relatorio).toMatchObject({ idRelatorio: other.idRelatorio, nomeRelatorio: 'Outro' })
    const unbound = await admin.put('/paginas/painel', { idRelatorio: null })
    expect([unbound.status, unbound.body.relatorio]).toEqual([200, null])
    expect((await admin.put('/paginas/painel', { idRelatorio: null })).status).toBe(200)
    expect((await admin.get('/paginas/perfil')).body.relatorio).toEqual(shown)
    expect((await audited()).slice(0, 4)).toMatchObject([
      { objeto: 'pagina:painel', detalhes: { antes: null, depois: shown } },
      { objeto: 'pagina:perfil', detalhes: { antes: null, depois: shown } },
      { objeto: 'pagina:painel', detalhes: { antes: shown, depois: { nomeRelatorio: 'Outro' } } },
      { objeto: 'pagina:painel', detalhes: { antes: { nomeRelatorio: 'Outro' }, depois: null } },
    ])
  })

  test('deleting a report unbinds it', async () => {
    await admin.put('/paginas/painel', { idRelatorio })
    await admin.del(`/usuarios/relatorio/${idRelatorio}`)
    expect((await admin.get('/paginas')).body).toEqual(empty)
  })

  test.each([
    ['an unknown report', { idRelatorio: 999_999 }, 'Este relatório não existe mais.'],
    ['zero', { idRelatorio: 0 }, 'Escolha um relatório.'],
    ['a word', { idRelatorio: 'x' }, 'Escolha um relatório.'],
    ['an id beyond the database', { idRelatorio: 2_147_483_648 }, 'Escolha um relatório.'],
    ['a missing id', {}, 'Escolha um relatório.'],
  ])('PUT /paginas/:rota refuses %s at its field, and keeps the page', async (_what, body, sentence) => {
    await admin.put('/paginas/painel', { idRelatorio })
    const answer = await admin.put('/paginas/painel', body)
    expect([answer.status, answer.body.campos]).toEqual([422, { idRelatorio: sentence }])
    expect((await admin.get('/paginas/painel')).body.relatorio).toEqual(shown)
    expect(await audited()).toHaveLength(1)
  })

  test('PUT /paginas/:rota answers 403 to a USER and 401 without a session', async () => {
    await grantReport(app, person.idUsuario, idRelatorio)
    expect((await user.put('/paginas/painel', { idRelatorio })).status).toBe(403)
    expect((await user.put('/paginas/painel', {})).status).toBe(403)
    expect((await app.anonymous.put('/paginas/painel', { idRelatorio })).status).toBe(401)
    expect((await admin.get('/paginas')).body).toEqual(empty)
  })
})
