import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createUser } from '../../../test/users.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('lists only what is granted, in Brazilian order; ADMIN sees all', async () => {
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
  if (!granted) throw new Error('no report')
  await grantReport(app, user.idUsuario, granted.idRelatorio)
  expect((await get('/usuarios/menus')).body).toEqual([
    {
      workspace: 'Zona',
      groupId: workspaces[0]?.idGrupo,
      idGrupoRelatorio: workspaces[0]?.idGrupoRelatorio,
      relatorios: [
        { idRelatorio: granted.idRelatorio, nome: granted.nomeRelatorio, reportId: granted.reportId },
      ],
    },
  ])
})
