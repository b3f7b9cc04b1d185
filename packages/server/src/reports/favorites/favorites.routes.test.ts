import { MAX_FAVORITES } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()

const start = async (count = 3) => {
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio, idGrupo } = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Gestão' })
  const user = await createUser(app)
  const reports: number[] = []
  for (let n = 1; n <= count; n += 1) {
    const { idRelatorio } = await createReport(app, { idGrupoRelatorio, nomeRelatorio: `Relatório ${n}` })
    await grantReport(app, user.idUsuario, idRelatorio)
    reports.push(idRelatorio)
  }
  return { user, reports, idGrupo, idGrupoRelatorio, ...(await app.as(user)) }
}

const idsOf = (rows: { idRelatorio: number }[]) => rows.map(({ idRelatorio }) => idRelatorio)
const star = async ({ put, reports }: Awaited<ReturnType<typeof start>>) => {
  for (const id of reports) await put(`/usuarios/favoritos/${id}`)
}

test('a new favourite goes to the end, once, with the fields that its link needs', async () => {
  const person = await start(2)
  const [first, second] = person.reports
  await star(person)
  const { status, body } = await person.put(`/usuarios/favoritos/${first}`)
  expect([status, idsOf(body)]).toEqual([200, [first, second]])
  expect(body[0]).toEqual({
    idRelatorio: first,
    nomeRelatorio: 'Relatório 1',
    nomeGrupo: 'Gestão',
    groupId: person.idGrupo,
    reportId: expect.any(String),
  })
  const audited = await app.db
    .selectFrom('auditoria')
    .select(['objeto', 'detalhes'])
    .where('acao', '=', 'favorites.changed')
    .orderBy('idAuditoria')
    .execute()
  expect(audited).toEqual([
    { objeto: `usuario:${person.user.idUsuario}`, detalhes: { incluidos: [first] } },
    { objeto: `usuario:${person.user.idUsuario}`, detalhes: { incluidos: [second] } },
  ])
})

test("the order is the user's own; favourites that are not named go last", async () => {
  const person = await start(4)
  const [a, b, c, d] = person.reports
  await star(person)
  const { body } = await person.put('/usuarios/favoritos', { ids: [c, a, 999_999] })
  expect(idsOf(body)).toEqual([c, a, b, d])
  expect(idsOf((await person.get('/usuarios/favoritos')).body)).toEqual([c, a, b, d])
  expect((await person.del(`/usuarios/favoritos/${c}`)).status).toBe(204)
  expect(idsOf((await person.put(`/usuarios/favoritos/${c}`)).body)).toEqual([a, b, d, c])
})

test('only visible reports are listed; a favourite reappears when its grant returns', async () => {
  const person = await start(2)
  const [first, second] = person.reports
  await star(person)
  const grant = { idUsuario: person.user.idUsuario, idRelatorio: first ?? 0 }
  await app.db.deleteFrom('relatorioUsuario').where('idRelatorio', '=', grant.idRelatorio).execute()
  expect(idsOf((await person.get('/usuarios/favoritos')).body)).toEqual([second])
  const refused = await person.put(`/usuarios/favoritos/${first}`)
  expect([refused.status, refused.body.codigo]).toEqual([403, 'relatorio_sem_permissao'])
  await grantReport(app, grant.idUsuario, grant.idRelatorio)
  expect(idsOf((await person.get('/usuarios/favoritos')).body)).toEqual([first, second])
})

test("a user cannot read or change another user's favourites", async () => {
  const person = await start(2)
  await star(person)
  const other = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  expect((await other.get('/usuarios/favoritos')).body).toEqual([])
  expect((await other.put('/usuarios/favoritos', { ids: [...person.reports].reverse() })).body).toEqual([])
  expect((await other.del(`/usuarios/favoritos/${person.reports[0]}`)).status).toBe(204)
  expect(idsOf((await person.get('/usuarios/favoritos')).body)).toEqual(person.reports)
})

test('a favourite beyond the limit is refused', async () => {
  const person = await start(1)
  const { user, idGrupoRelatorio } = person
  for (let n = 0; n < MAX_FAVORITES; n += 1) {
    const { idRelatorio } = await createReport(app, { idGrupoRelatorio })
    await app.db
      .insertInto('favorito')
      .values({ idUsuario: user.idUsuario, idRelatorio, posicao: n })
      .execute()
  }
  const { status, body } = await person.put(`/usuarios/favoritos/${person.reports[0]}`)
  expect([status, body.codigo]).toEqual([409, 'favoritos_demais'])
  expect((await person.get('/usuarios/favoritos')).body).toEqual([])
})

test('favourites are deleted with the report and with the user', async () => {
  const person = await start(2)
  const [first] = person.reports
  await star(person)
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  expect((await admin.del(`/usuarios/relatorio/${first}`)).status).toBe(204)
  expect((await person.get('/usuarios/favoritos')).body).toHaveLength(1)
  expect((await admin.del(`/usuarios/${person.user.idUsuario}`)).status).toBe(204)
  expect(await app.db.selectFrom('favorito').selectAll().execute()).toEqual([])
})
