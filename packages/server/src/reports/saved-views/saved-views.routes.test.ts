import { BOOKMARK_LENGTH, emptyPanelChoice, SAVED_VIEWS } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()

const start = async () => {
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  const { idRelatorio } = await createReport(app, { idGrupoRelatorio })
  const user = await createUser(app)
  await grantReport(app, user.idUsuario, idRelatorio)
  const address = `/usuarios/relatorio/${idRelatorio}/visoes`
  return { user, idRelatorio, address, ...(await app.as(user)) }
}

const draft = (nome: string, more: object = {}) => ({
  nome,
  pagina: 'custos',
  filtros: { operadora: 'CNU', sexo: '', titularidade: 'consulta' },
  marcador: 'eyJhIjoxfQ==',
  ...more,
})

test('a view is saved, listed by name, changed in part and deleted, and each is audited', async () => {
  const { post, put, get, del, address, user, idRelatorio } = await start()
  const { status, body: view } = await post(address, draft('Zona sul'))
  expect([status, view]).toEqual([
    201,
    { idVisao: expect.any(Number), ...draft('Zona sul'), padrao: false, versao: 1 },
  ])
  await post(address, { nome: 'Água', filtros: emptyPanelChoice })
  expect((await get(address)).body.map(({ nome }: { nome: string }) => nome)).toEqual(['Água', 'Zona sul'])
  const changed = await put(`${address}/${view.idVisao}`, { nome: 'Zona norte' }, { 'if-match': '"1"' })
  expect(changed.body).toEqual({ ...view, nome: 'Zona norte', versao: 2 })
  const emptied = await put(`${address}/${view.idVisao}`, { pagina: null, marcador: '' })
  expect(emptied.body).toMatchObject({ pagina: null, marcador: null, filtros: view.filtros, versao: 3 })
  const stale = await put(`${address}/${view.idVisao}`, { nome: 'Outra' }, { 'if-match': '"1"' })
  expect([stale.status, stale.body.codigo]).toEqual([412, 'versao_antiga'])
  expect((await del(`${address}/${view.idVisao}`)).status).toBe(204)
  expect((await del(`${address}/${view.idVisao}`)).status).toBe(404)
  const audit = await app.db
    .selectFrom('auditoria')
    .select(['acao', 'objeto', 'idUsuario', 'detalhes'])
    .where('acao', 'like', 'view.%')
    .orderBy('idAuditoria')
    .execute()
  expect(audit.map(({ acao }) => acao)).toEqual([
    'view.created',
    'view.created',
    'view.changed',
    'view.changed',
    'view.deleted',
  ])
  expect(audit[0]).toMatchObject({
    objeto: `relatorio:${idRelatorio}`,
    idUsuario: user.idUsuario,
    detalhes: { nome: 'Zona sul', comMarcador: true, filtros: ['operadora', 'titularidade'] },
  })
  // Values can name a patient: see reports/activity/choice-trail.ts.
  expect(JSON.stringify(audit)).not.toMatch(/CNU|consulta|eyJhIjoxfQ==/)
})

test("a view keeps the choice of a report's declared filters, capitals and underscores included", async () => {
  const { post, get, address } = await start()
  const filtros = { 'Dim_Região/Nome_da região': 'Sul', operadora: '' }
  expect((await post(address, draft('Sul', { filtros }))).body.filtros).toEqual(filtros)
  expect((await get(address)).body[0].filtros).toEqual(filtros)
})

test('a name is unique regardless of accents, and at most one view is the default', async () => {
  const { post, put, get, address } = await start()
  const { body: first } = await post(address, draft('Início', { padrao: true }))
  const again = await post(address, draft('inicio'))
  expect([again.status, again.body.codigo, again.body.campos]).toEqual([
    409,
    'visao_ja_cadastrada',
    { nome: 'Você já tem uma visão deste relatório com este nome.' },
  ])
  const { body: second } = await post(address, draft('Outra', { padrao: true }))
  const defaults = async () =>
    (await get(address)).body.flatMap((view: typeof first) => (view.padrao ? view.idVisao : []))
  expect(await defaults()).toEqual([second.idVisao])
  await put(`${address}/${first.idVisao}`, { padrao: true })
  expect(await defaults()).toEqual([first.idVisao])
  await put(`${address}/${first.idVisao}`, { padrao: false })
  expect(await defaults()).toEqual([])
})

test('two concurrent changes of the default leave one', async () => {
  const { post, put, get, address } = await start()
  const views = [(await post(address, draft('A'))).body, (await post(address, draft('B'))).body]
  const answers = await Promise.all(
    views.map(({ idVisao }) => put(`${address}/${idVisao}`, { padrao: true })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await get(address)).body.filter(({ padrao }: { padrao: boolean }) => padrao)).toHaveLength(1)
})

test('a view is available to its own user and report only, while the report is visible', async () => {
  const { post, put, get, del, address, idRelatorio } = await start()
  const { body: view } = await post(address, draft('Minha'))
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  expect((await admin.get(address)).body).toEqual([])
  expect((await admin.put(`${address}/${view.idVisao}`, { nome: 'Tomada' })).status).toBe(404)
  expect((await admin.del(`${address}/${view.idVisao}`)).status).toBe(404)
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  const other = await createReport(app, { idGrupoRelatorio })
  const elsewhere = `/usuarios/relatorio/${other.idRelatorio}/visoes/${view.idVisao}`
  expect((await admin.put(elsewhere, { nome: 'Levada' })).status).toBe(404)
  expect((await put(elsewhere, { nome: 'Levada' })).status).toBe(403)
  await app.db.deleteFrom('relatorioUsuario').where('idRelatorio', '=', idRelatorio).execute()
  for (const { status, body } of [
    await get(address),
    await post(address, draft('Nova')),
    await del(`${address}/${view.idVisao}`),
  ]) {
    expect([status, body.codigo]).toEqual([403, 'relatorio_sem_permissao'])
  }
  expect(await app.db.selectFrom('visaoSalva').select('nome').execute()).toEqual([{ nome: 'Minha' }])
})

test.each([
  ['nome', draft(' ')],
  ['nome', draft('x'.repeat(81))],
  ['pagina', draft('a', { pagina: '../x' })],
  ['filtros.operadora', draft('a', { filtros: { operadora: 'x'.repeat(101) } })],
  ['filtros.sexo', draft('a', { filtros: { sexo: 'a\u0000b' } })],
  ['filtros.segredo', draft('a', { filtros: { segredo: 'x' } })],
  [
    'filtros',
    draft('a', { filtros: Object.fromEntries([...'abcdefghijklmnopqrstu'].map((c) => [`T/${c}`, ''])) }),
  ],
  ['marcador', draft('a', { marcador: 'x'.repeat(BOOKMARK_LENGTH + 1) })],
  ['marcador', draft('a', { marcador: 'a\u0000b' })],
])('the portal refuses a wrong view at %s', async (field, body) => {
  const { post, address } = await start()
  const answer = await post(address, body)
  expect([answer.status, Object.keys(answer.body.campos)]).toEqual([422, [field]])
})

test('the portal refuses a view beyond the limit, and accepts the longest bookmark', async () => {
  const { post, address, user, idRelatorio } = await start()
  const { idUsuario } = user
  expect((await post(address, draft('a', { marcador: 'x'.repeat(BOOKMARK_LENGTH) }))).status).toBe(201)
  const rows = Array.from({ length: SAVED_VIEWS - 1 }, (_, n) => ({
    idUsuario,
    idRelatorio,
    nome: `Visão ${n}`,
    pagina: null,
    filtros: '{}',
    marcador: null,
  }))
  await app.db.insertInto('visaoSalva').values(rows).execute()
  const { status, body } = await post(address, draft('Uma a mais'))
  expect([status, body.codigo]).toEqual([409, 'visoes_demais'])
})

test('deleting the report or the user deletes their views', async () => {
  const [one, other] = [await start(), await start()]
  await one.post(one.address, draft('a'))
  await other.post(other.address, draft('b'))
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  expect((await admin.del(`/usuarios/relatorio/${one.idRelatorio}`)).status).toBe(204)
  expect((await admin.del(`/usuarios/${other.user.idUsuario}`)).status).toBe(204)
  expect(await app.db.selectFrom('visaoSalva').selectAll().execute()).toEqual([])
})
