import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()
let admin: Awaited<ReturnType<TestApp['as']>>
let person: Awaited<ReturnType<typeof createUser>>
let idGrupoRelatorio: number
let ids: number[]
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  person = await createUser(app)
  const { idPowerBi } = await createConnection(app)
  idGrupoRelatorio = (await createWorkspace(app, { idPowerBi })).idGrupoRelatorio
  ids = []
  for (const nomeRelatorio of ['Um', 'Dois', 'Três']) {
    ids.push((await createReport(app, { idGrupoRelatorio, nomeRelatorio })).idRelatorio)
  }
})

const until = '2999-12-31'
const url = () => `/usuarios/relatorio-usuario/${person.idUsuario}`
const id = (n: number): number => ids[n] ?? 0
const grant = (n: number, more: object = {}) =>
  admin.post('/usuarios/relatorio-usuario', { idUsuario: person.idUsuario, idRelatorio: id(n), ...more })
const endsOf = async () => {
  const { body } = await admin.get(url())
  return body.map(({ validoAte }: { validoAte: string | null }) => validoAte)
}
const reachEnds = () =>
  app.db
    .updateTable('relatorioUsuario')
    .set({ venceEm: new Date(Date.now() - 1_000) })
    .where('venceEm', 'is not', null)
    .execute()
const audits = async () => {
  const rows = await app.db
    .selectFrom('auditoria')
    .select('detalhes')
    .where('acao', '=', 'grants.changed')
    .orderBy('idAuditoria')
    .execute()
  return rows.map(({ detalhes }) => detalhes)
}

describe('POST /usuarios/relatorio-usuario', () => {
  test('POST /usuarios/relatorio-usuario grants with a last day; a repeated call without one keeps it', async () => {
    expect((await grant(0, { validoAte: until })).status).toBe(201)
    expect((await grant(0)).status).toBe(200)
    expect(await endsOf()).toEqual([until])
    expect((await grant(0, { validoAte: null })).status).toBe(200)
    expect(await endsOf()).toEqual([null])
    const prazos = (validoAte: string | null) => [{ idRelatorio: id(0), validoAte }]
    expect(await audits()).toMatchObject([
      { liberados: [id(0)], prazos: prazos(until) },
      { liberados: [], prazos: prazos(null) },
    ])
  })

  test('POST /usuarios/relatorio-usuario grants again, without an end, what has ended, and notifies the person', async () => {
    await grant(0, { validoAte: until })
    await reachEnds()
    expect((await grant(0)).status).toBe(201)
    expect(await endsOf()).toEqual([null])
    expect((await (await app.as(person)).get('/usuarios/menus')).body).toHaveLength(1)
  })

  test.each(['2020-01-31', '31/12/2999', 'ontem'])(
    'POST /usuarios/relatorio-usuario refuses the last day %s',
    async (validoAte) => {
      const { status, body } = await grant(0, { validoAte })
      expect([status, Object.keys(body.campos)]).toEqual([422, ['validoAte']])
    },
  )
})

describe('PUT /usuarios/relatorio-usuario/:idUsuario', () => {
  test('PUT /usuarios/relatorio-usuario/:idUsuario sets last days of reports of the set, and keeps the others', async () => {
    await grant(0, { validoAte: until })
    const prazos = [{ idRelatorio: id(1), validoAte: '2998-01-31' }]
    const { status, body } = await admin.put(url(), { idRelatorios: ids, prazos })
    expect(status).toBe(200)
    const days = new Map<number, string | null>(
      body.map(({ idRelatorio, validoAte }: { idRelatorio: number; validoAte: string | null }) => [
        idRelatorio,
        validoAte,
      ]),
    )
    expect(ids.map((one) => days.get(one))).toEqual([until, '2998-01-31', null])
    const group = await admin.get(`${url()}/${idGrupoRelatorio}`)
    expect(group.body.map(({ validoAte }: { validoAte: string | null }) => validoAte).sort()).toEqual([
      '2998-01-31',
      until,
      null,
    ])
    expect((await audits()).at(-1)).toMatchObject({ liberados: [id(1), id(2)], prazos })
  })

  test('a change of a last day is a change of the set', async () => {
    await grant(0, { validoAte: until })
    const { headers } = await admin.get(url())
    const match = { 'if-match': String(headers.etag) }
    await grant(0, { validoAte: '2998-01-31' })
    const { status } = await admin.put(url(), { idRelatorios: [] }, match)
    expect(status).toBe(412)
  })

  test('PUT /usuarios/relatorio-usuario/:idUsuario returns the version of the set that it wrote', async () => {
    const prazos = [{ idRelatorio: id(0), validoAte: until }]
    const written = await admin.put(url(), { idRelatorios: ids, prazos })
    const again = await admin.put(
      url(),
      { idRelatorios: [id(0)] },
      { 'if-match': String(written.headers.etag) },
    )
    expect(again.status).toBe(200)
  })

  test('PUT /usuarios/relatorio-usuario/:idUsuario refuses a day that has passed unless it is unchanged, and reports outside the set', async () => {
    const past = [{ idRelatorio: id(0), validoAte: '2020-01-31' }]
    expect((await admin.put(url(), { idRelatorios: [id(0)], prazos: past })).status).toBe(422)
    expect((await admin.put(url(), { idRelatorios: [id(1)], prazos: past })).body.campos).toEqual({
      prazos: 'Um dos prazos é de um relatório não marcado.',
    })
    await grant(0)
    await app.db
      .updateTable('relatorioUsuario')
      .set({ venceEm: new Date('2020-02-01T03:00:00Z') })
      .execute()
    expect((await admin.put(url(), { idRelatorios: ids, prazos: past })).status).toBe(200)
  })
})

test('a person does not get the names of reports whose grants have ended; an ADMIN does', async () => {
  await grant(0, { validoAte: until })
  const own = await app.as(person)
  expect((await own.get(url())).body).toHaveLength(1)
  await reachEnds()
  expect((await own.get(url())).body).toEqual([])
  expect(await endsOf()).toHaveLength(1)
})

test('the explanation of an access says until when it counts, or that it has ended', async () => {
  await grant(0, { validoAte: until })
  const explained = async () => (await admin.get(`/usuarios/${person.idUsuario}/acesso/${id(0)}`)).body
  expect(await explained()).toMatchObject({
    pode: true,
    motivos: [{ descricao: 'Tem permissão direta para este relatório, até 31/12/2999.' }],
  })
  await reachEnds()
  expect(await explained()).toMatchObject({
    pode: false,
    motivos: [],
    faltas: [expect.stringMatching(/^A permissão direta para este relatório valeu até \d\d\/\d\d\/\d{4}, e/)],
  })
  await grant(0)
  await app.db
    .updateTable('usuario')
    .set({ venceEm: new Date(Date.now() - 1_000) })
    .where('idUsuario', '=', person.idUsuario)
    .execute()
  expect(await explained()).toMatchObject({
    pode: false,
    faltas: [expect.stringMatching(/^A conta da pessoa valeu até .*: ela não consegue entrar\.$/)],
  })
})

test('a grant changes the access version of its person alone', async () => {
  const other = await createUser(app)
  const versions = async () => {
    const { rows } = await sql<{ catalogue: number; person: number; other: number }>`select
      (select versao from catalogo)::int as catalogue,
      (select versao_acesso from usuario where id_usuario = ${person.idUsuario})::int as person,
      (select versao_acesso from usuario where id_usuario = ${other.idUsuario})::int as other`.execute(app.db)
    return rows[0] ?? { catalogue: 0, person: 0, other: 0 }
  }
  const changes = [
    () => grant(0),
    () => grant(0, { validoAte: until }),
    () => admin.put(url(), { idRelatorios: [id(0)], prazos: [{ idRelatorio: id(0), validoAte: null }] }),
    () => admin.put(url(), { idRelatorios: [] }),
  ]
  for (const change of changes) {
    const before = await versions()
    expect((await change()).status).toBeLessThan(300)
    expect(await versions()).toEqual({ ...before, person: before.person + 1 })
  }
})

test('a grant moved by hand, and an emptied table, change the versions of all', async () => {
  await grant(0)
  const catalogue = () => app.db.selectFrom('catalogo').select('versao').executeTakeFirstOrThrow()
  for (const change of [
    sql`update relatorio_usuario set id_relatorio = ${id(1)}`,
    sql`truncate relatorio_usuario`,
  ]) {
    const before = await catalogue()
    await change.execute(app.db)
    expect(await catalogue()).not.toEqual(before)
  }
})
