import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()

test('GET /usuarios/menus lists only granted reports, in Brazilian order; an ADMIN sees all', async () => {
  const { idPowerBi } = await createConnection(app)
  const names = ['Zona', 'Água', 'banco', 'Árvore', 'abacaxi', 'Éden']
  const workspaces = await Promise.all(
    names.map((nomeGrupo) => createWorkspace(app, { idPowerBi, nomeGrupo })),
  )
  const reports = await Promise.all(
    workspaces.flatMap(({ idGrupoRelatorio }) =>
      ['b', 'Ã', 'a'].map((nomeRelatorio) => createReport(app, { idGrupoRelatorio, nomeRelatorio })),
    ),
  )
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const { body: whole } = await admin.get('/usuarios/menus')
  expect(whole.map(({ workspace }: { workspace: string }) => workspace)).toEqual([
    'abacaxi',
    'Água',
    'Árvore',
    'banco',
    'Éden',
    'Zona',
  ])
  expect(whole[0].relatorios.map(({ nome }: { nome: string }) => nome)).toEqual(['a', 'Ã', 'b'])

  const user = await createUser(app)
  const { get } = await app.as(user)
  expect((await get('/usuarios/menus')).body).toEqual([])
  const [granted] = reports
  if (!granted) throw new Error('the test created no report')
  await grantReport(app, user.idUsuario, granted.idRelatorio)
  expect((await get('/usuarios/menus')).body).toEqual([
    {
      workspace: 'Zona',
      groupId: workspaces[0]?.idGrupo,
      idGrupoRelatorio: workspaces[0]?.idGrupoRelatorio,
      quantidade: 1,
      relatorios: [
        { idRelatorio: granted.idRelatorio, nome: granted.nomeRelatorio, reportId: granted.reportId },
      ],
    },
  ])
})

test('GET /usuarios/menus orders names with numbers naturally', async () => {
  const { idPowerBi } = await createConnection(app)
  for (const nomeGrupo of ['Unidade 10', 'unidade 9']) {
    const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi, nomeGrupo })
    for (const nomeRelatorio of ['Mês 11', 'mes 2'])
      await createReport(app, { idGrupoRelatorio, nomeRelatorio })
  }
  const { body } = await (await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))).get(
    '/usuarios/menus',
  )
  const namesOf = ({ workspace, relatorios }: { workspace: string; relatorios: { nome: string }[] }) => [
    workspace,
    ...relatorios.map(({ nome }) => nome),
  ]
  expect(body.map(namesOf)).toEqual([
    ['unidade 9', 'mes 2', 'Mês 11'],
    ['Unidade 10', 'mes 2', 'Mês 11'],
  ])
})

test('GET /usuarios/menus shows renamed, moved, deleted and new reports at once, despite its cache', async () => {
  const { idPowerBi } = await createConnection(app)
  const group = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Antes' })
  const { idRelatorio } = await createReport(app, { idGrupoRelatorio: group.idGrupoRelatorio })
  const person = await createUser(app)
  await grantReport(app, person.idUsuario, idRelatorio)
  const [admin, own] = [await app.as(await createUser(app, { tipoUsuario: 'ADMIN' })), await app.as(person)]
  const names = async (get: typeof own.get) =>
    (await get('/usuarios/menus')).body.map((entry: { workspace: string; quantidade: number }) => [
      entry.workspace,
      entry.quantidade,
    ])
  expect([await names(own.get), await names(admin.get)]).toEqual([[['Antes', 1]], [['Antes', 1]]])
  await admin.put(`/usuarios/workspace/${group.idGrupoRelatorio}`, { ...group, nomeGrupo: 'Depois' })
  expect([await names(own.get), await names(admin.get)]).toEqual([[['Depois', 1]], [['Depois', 1]]])
  await createReport(app, { idGrupoRelatorio: group.idGrupoRelatorio })
  expect([await names(own.get), await names(admin.get)]).toEqual([[['Depois', 1]], [['Depois', 2]]])
  await app.db.deleteFrom('relatorio').where('idRelatorio', '=', idRelatorio).execute()
  expect([await names(own.get), await names(admin.get)]).toEqual([[], [['Depois', 1]]])
})

test("GET /usuarios/menus only counts above 1,000 reports; a workspace's reports are read when it is opened", async () => {
  const { idPowerBi } = await createConnection(app)
  const large = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Grande' })
  const small = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Pequeno' })
  const { idRelatorio } = await createReport(app, {
    idGrupoRelatorio: small.idGrupoRelatorio,
    nomeRelatorio: 'Água 7',
  })
  await sql`insert into relatorio (id_grupo_relatorio, nome_relatorio, operadora_relatorio, report_id)
    select ${large.idGrupoRelatorio}::int, 'Relatório ' || n, 'CNU', gen_random_uuid()
    from generate_series(1, 1000) n`.execute(app.db)
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const menu = (await admin.get('/usuarios/menus')).body
  expect(
    menu.map(({ workspace, quantidade, relatorios }: Record<string, unknown>) => [
      workspace,
      quantidade,
      relatorios,
    ]),
  ).toEqual([
    ['Grande', 1000, []],
    ['Pequeno', 1, []],
  ])
  const opened = await admin.get(`/usuarios/menus/${small.idGrupoRelatorio}`)
  expect(opened.body).toMatchObject([{ idRelatorio, nome: 'Água 7' }])
  const found = (await admin.get('/usuarios/menus/busca?busca=AGUA')).body
  expect(found).toMatchObject([{ workspace: 'Pequeno', quantidade: 1, relatorios: [{ idRelatorio }] }])
  const byWorkspace = (await admin.get('/usuarios/menus/busca?busca=grande')).body
  expect(byWorkspace[0].relatorios).toHaveLength(50)

  const own = await app.as(await createUser(app))
  expect((await own.get(`/usuarios/menus/${small.idGrupoRelatorio}`)).body).toEqual([])
  expect((await own.get('/usuarios/menus/busca?busca=agua')).body).toEqual([])
  expect((await own.get('/usuarios/menus/busca?busca=%20')).status).toBe(422)
})
