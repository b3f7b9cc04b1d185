import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { raceForGrants } from '../../../test/checks/race-for-grants.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let person: Awaited<ReturnType<typeof createUser>>
let first: Awaited<ReturnType<typeof publish>>
let second: Awaited<ReturnType<typeof publish>>

const publish = async (idPowerBi: number, nomeGrupo: string, names: string[]) => {
  const group = await createWorkspace(app, { idPowerBi, nomeGrupo })
  const reports = []
  for (const nomeRelatorio of names) {
    reports.push(await createReport(app, { idGrupoRelatorio: group.idGrupoRelatorio, nomeRelatorio }))
  }
  return { group, ids: reports.map(({ idRelatorio }) => idRelatorio), reports }
}

const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  person = await createUser(app)
  const { idPowerBi } = await createConnection(app)
  first = await publish(idPowerBi, 'Água', ['Zelo', 'ábaco', 'Banco'])
  second = await publish(idPowerBi, 'Banco', ['Um', 'Dois'])
})

const url = () => `/usuarios/relatorio-usuario/${person.idUsuario}`
const grantsOf = async (idUsuario = person.idUsuario) => {
  const { body } = await admin.get(`/usuarios/relatorio-usuario/${idUsuario}`)
  return body.map(({ idRelatorio }: { idRelatorio: number }) => idRelatorio).sort()
}
const audits = () =>
  app.db
    .selectFrom('auditoria')
    .selectAll()
    .where('acao', '=', 'grants.changed')
    .orderBy('idAuditoria')
    .execute()

describe('the lists and single grants of /usuarios/relatorio-usuario', () => {
  test("the lists and single grants of /usuarios/relatorio-usuario return all reports unchecked, a workspace's checked as granted, and a user's own grants", async () => {
    await grantReport(app, person.idUsuario, first.ids[1] ?? 0)
    const all = await admin.get('/usuarios/relatorio-usuario')
    expect(all.headers['x-total-count']).toBe('5')
    expect(all.body.map((row: { nomeRelatorio: string }) => row.nomeRelatorio)).toEqual([
      'ábaco',
      'Banco',
      'Dois',
      'Um',
      'Zelo',
    ])
    expect(all.body.every((row: { isChecked: boolean }) => row.isChecked === false)).toBe(true)
    const group = await admin.get(`${url()}/${first.group.idGrupoRelatorio}`)
    expect(
      group.body.map((row: { nomeRelatorio: string; isChecked: boolean }) => [
        row.nomeRelatorio,
        row.isChecked,
      ]),
    ).toEqual([
      ['ábaco', true],
      ['Banco', false],
      ['Zelo', false],
    ])
    expect((await admin.get(url())).body).toEqual([
      {
        idRelatorio: first.ids[1],
        idUsuario: person.idUsuario,
        nomeRelatorio: 'ábaco',
        idGrupoRelatorio: first.group.idGrupoRelatorio,
        validoAte: null,
      },
    ])
  })

  test('POST grants one with 201, then 200; DELETE removes all; each change is audited once', async () => {
    const body = { idRelatorio: first.ids[0], idUsuario: String(person.idUsuario) }
    expect((await admin.post('/usuarios/relatorio-usuario', body)).status).toBe(201)
    const again = await admin.post('/usuarios/relatorio-usuario', body)
    expect([again.status, again.body]).toEqual([200, { ...body, idUsuario: person.idUsuario }])
    expect((await admin.del(url())).status).toBe(204)
    expect((await admin.del(url())).status).toBe(204)
    expect(await grantsOf()).toEqual([])
    expect((await audits()).map(({ detalhes }) => detalhes)).toEqual([
      { liberados: [first.ids[0]], retirados: [] },
      { liberados: [], retirados: [first.ids[0]] },
    ])
  })

  test('POST reports an unknown report or user at its field', async () => {
    const post = (body: object) => admin.post('/usuarios/relatorio-usuario', body)
    const noReport = await post({ idRelatorio: 999_999, idUsuario: person.idUsuario })
    expect([noReport.status, Object.keys(noReport.body.campos)]).toEqual([422, ['idRelatorio']])
    const unknownUser = await post({ idRelatorio: first.ids[0], idUsuario: 999_999 })
    expect([unknownUser.status, Object.keys(unknownUser.body.campos)]).toEqual([422, ['idUsuario']])
  })
})

describe('PUT /usuarios/relatorio-usuario/:id', () => {
  test('PUT /usuarios/relatorio-usuario/:id replaces the whole set', async () => {
    await grantReport(app, person.idUsuario, first.ids[0] ?? 0)
    const wanted = [...first.ids.slice(1), ...second.ids]
    const { status, body } = await admin.put(url(), { idRelatorios: [...wanted, ...wanted] })
    expect([status, body.length]).toEqual([200, 4])
    expect(await grantsOf()).toEqual([...wanted].sort())
  })

  test('PUT /usuarios/relatorio-usuario/:id changes only the given workspace', async () => {
    await admin.put(url(), { idRelatorios: [first.ids[0], second.ids[0]] })
    const idGrupoRelatorio = second.group.idGrupoRelatorio
    await admin.put(url(), { idGrupoRelatorio, idRelatorios: [second.ids[1]] })
    expect(await grantsOf()).toEqual([first.ids[0], second.ids[1]].sort())
    await admin.put(url(), { idGrupoRelatorio, idRelatorios: [] })
    expect(await grantsOf()).toEqual([first.ids[0]])
  })

  test.each([
    [
      'a report of another group',
      () => ({ idGrupoRelatorio: first.group.idGrupoRelatorio, idRelatorios: second.ids }),
    ],
    ['a deleted report', () => ({ idRelatorios: [...first.ids, 999_999] })],
    ['no list', () => ({})],
    ['text', () => ({ idRelatorios: ['x'] })],
  ])('PUT /usuarios/relatorio-usuario/:id writes nothing with %s', async (_, make) => {
    await grantReport(app, person.idUsuario, first.ids[0] ?? 0)
    expect((await admin.put(url(), make())).status).toBe(422)
    expect(await grantsOf()).toEqual([first.ids[0]])
  })

  test('PUT /usuarios/relatorio-usuario/:id answers 412 for a stale ETag, for the whole set and for a workspace', async () => {
    const [a, b] = first.ids
    const inGroup = `${url()}/${first.group.idGrupoRelatorio}`
    const whole = String((await admin.get(url())).headers.etag)
    const group = String((await admin.get(inGroup)).headers.etag)
    expect(whole).toBe(group)

    const saved = await admin.put(url(), { idRelatorios: [b, a] }, { 'if-match': whole })
    expect(saved.status).toBe(200)
    expect(saved.headers.etag).toBe((await admin.get(url())).headers.etag)
    const late = await admin.put(url(), { idRelatorios: [] }, { 'if-match': whole })
    expect([late.status, late.body.codigo]).toEqual([412, 'versao_antiga'])
    const body = { idGrupoRelatorio: first.group.idGrupoRelatorio, idRelatorios: [] }
    expect((await admin.put(url(), body, { 'if-match': group })).status).toBe(412)
    expect(await grantsOf()).toEqual([a, b])

    const now = String((await admin.get(inGroup)).headers.etag)
    // A change in another workspace does not change the tag.
    await admin.post('/usuarios/relatorio-usuario', {
      idUsuario: person.idUsuario,
      idRelatorio: second.ids[0],
    })
    expect((await admin.put(url(), body, { 'if-match': now })).status).toBe(200)
    expect(await grantsOf()).toEqual([second.ids[0]])
    expect((await admin.put(url(), { idRelatorios: [a] }, { 'if-match': '*' })).status).toBe(200)
  })

  test('PUT /usuarios/relatorio-usuario/:id answers 404 for an unknown user', async () => {
    expect((await admin.put('/usuarios/relatorio-usuario/999999', { idRelatorios: [] })).status).toBe(404)
    expect((await admin.get('/usuarios/relatorio-usuario/999999')).status).toBe(404)
  })

  // The long tests run 200 rounds.
  test('PUT /usuarios/relatorio-usuario/:id leaves one of the two sets when two ADMINs replace it at once: 40 rounds', async () => {
    await raceForGrants(app, 40)
  })
})

describe('GET /usuarios/relatorio-usuario/:id', () => {
  test("GET /usuarios/relatorio-usuario/:id lets a user read their own grants, not another user's", async () => {
    const own = await app.as(person)
    const stranger = await app.as(await createUser(app))
    expect((await own.get(url())).status).toBe(200)
    expect((await stranger.get(url())).status).toBe(403)
    expect((await stranger.get('/usuarios/relatorio-usuario/999999')).status).toBe(403)
  })
})

describe('a grant takes effect on the next call', () => {
  test('a grant takes effect on the next call, in the menu and in the access check, given or removed', async () => {
    const own = await app.as(person)
    const namesNow = async () => {
      const { body } = await own.get('/usuarios/menus')
      return body.flatMap((entry: { relatorios: { nome: string }[] }) =>
        entry.relatorios.map(({ nome }) => nome),
      )
    }
    expect(await namesNow()).toEqual([])
    await admin.put(url(), { idRelatorios: [first.ids[0]] })
    expect(await namesNow()).toEqual(['Zelo'])
    expect((await own.get(`/usuarios/relatorio/${first.ids[0]}/acesso`)).status).toBe(204)
    await admin.del(url())
    expect(await namesNow()).toEqual([])
    expect((await own.get(`/usuarios/relatorio/${first.ids[0]}/acesso`)).status).toBe(403)
  })
})

describe('GET /usuarios/:id/acesso/:report', () => {
  const explain = (idRelatorio = first.ids[0], idUsuario = person.idUsuario) =>
    admin.get(`/usuarios/${idUsuario}/acesso/${idRelatorio}`)

  test('GET /usuarios/:id/acesso/:report says what would help when nothing is granted', async () => {
    const { status, body } = await explain()
    expect(status).toBe(200)
    expect(body).toEqual({
      pode: false,
      motivos: [],
      faltas: [expect.stringMatching(/^Não tem permissão direta/)],
      emailComprovado: true,
      identidade: null,
    })
  })

  test('GET /usuarios/:id/acesso/:report names every reason: direct grant, profile, ADMIN', async () => {
    await grantReport(app, person.idUsuario, first.ids[0] ?? 0)
    const { body: profile } = await admin.post('/perfis', { nomePerfil: 'Diretoria' })
    await admin.put(`/perfis/${profile.idPerfil}/relatorios`, { idRelatorios: [first.ids[0]] })
    await admin.put(`/perfis/${profile.idPerfil}/membros`, { adicionar: [person.idUsuario] })
    await app.db
      .updateTable('usuario')
      .set({ tipoUsuario: 'ADMIN' })
      .where('idUsuario', '=', person.idUsuario)
      .execute()
    const { body } = await explain()
    expect(body.pode).toBe(true)
    expect(body.motivos.map(({ tipo }: { tipo: string }) => tipo)).toEqual([
      'administrador',
      'permissao',
      'perfil',
    ])
    expect(body.motivos[2].descricao).toBe('Participa do perfil “Diretoria”, que inclui este relatório.')
  })

  test('GET /usuarios/:id/acesso/:report names a block, and shows the row-level identity', async () => {
    const idRelatorio = first.ids[0] ?? 0
    await app.db
      .updateTable('relatorio')
      .set({ papeisRls: ['Operadora'] })
      .where('idRelatorio', '=', idRelatorio)
      .execute()
    await app.db
      .updateTable('usuario')
      .set({ situacao: 'BLOQUEADO', identidadeRls: 'CNU' })
      .where('idUsuario', '=', person.idUsuario)
      .execute()
    await grantReport(app, person.idUsuario, idRelatorio)
    const { body } = await explain()
    expect(body).toMatchObject({
      pode: false,
      faltas: ['A pessoa está bloqueada e não consegue entrar.'],
      identidade: { usuario: person.emailUsuario, papeis: ['Operadora'], customData: 'CNU' },
    })
  })

  test('GET /usuarios/:id/acesso/:report shows an identity without roles, which an unverified e-mail does not get', async () => {
    const idRelatorio = first.ids[0] ?? 0
    await app.db
      .updateTable('relatorio')
      .set({ enviaIdentidade: true, usuarioIdentidade: 'aplicativo' })
      .where('idRelatorio', '=', idRelatorio)
      .execute()
    await app.db
      .updateTable('usuario')
      .set({ emailPorProvar: true })
      .where('idUsuario', '=', person.idUsuario)
      .execute()
    await grantReport(app, person.idUsuario, idRelatorio)
    expect((await explain()).body).toMatchObject({
      pode: false,
      faltas: [expect.stringMatching(/^O e-mail da pessoa não está confirmado/)],
      identidade: { usuario: 'aplicativo', papeis: [], customData: null },
    })
  })

  test('GET /usuarios/:id/acesso/:report answers 404 for an unknown user or report', async () => {
    expect((await explain(999_999)).status).toBe(404)
    expect((await explain(first.ids[0], 999_999)).status).toBe(404)
  })
})

describe('GET /usuarios/:id/menus', () => {
  test("GET /usuarios/:id/menus returns the user's own menu to an ADMIN, read-only, and audits it", async () => {
    await grantReport(app, person.idUsuario, second.ids[1] ?? 0)
    const { body } = await admin.get(`/usuarios/${person.idUsuario}/menus`)
    const own = await app.as(person)
    expect(body).toEqual((await own.get('/usuarios/menus')).body)
    expect(body).toHaveLength(1)
    const reports = await admin.get(`/usuarios/${person.idUsuario}/menus/${second.group.idGrupoRelatorio}`)
    expect(reports.body).toEqual(body[0].relatorios)
    const entries = await app.db
      .selectFrom('auditoria')
      .selectAll()
      .where('acao', '=', 'menu.viewed-as')
      .execute()
    expect(entries).toHaveLength(2)
    expect(entries.at(-1)?.detalhes).toEqual({ idGrupoRelatorio: second.group.idGrupoRelatorio })
    expect(entries.slice(0, 1)).toMatchObject([
      { objeto: `usuario:${person.idUsuario}`, idUsuario: admin.signedIn.usuario_id },
    ])
    expect((await own.get(`/usuarios/${person.idUsuario}/menus`)).status).toBe(403)
  })
})

describe('PUT /usuarios/relatorio-usuario/:id with unknown ids', () => {
  test('PUT /usuarios/relatorio-usuario/:id with unknown ids answers 404 for a workspace, and 422 at the field for a report', async () => {
    const gone = { idGrupoRelatorio: 424_242, idRelatorios: [] }
    expect((await admin.put(url(), gone)).status).toBe(404)
    expect((await admin.get(`${url()}/424242`)).status).toBe(404)
    const { status, body } = await admin.put(url(), { idRelatorios: [999_999] })
    expect([status, body.campos]).toEqual([422, { idRelatorios: 'Um dos relatórios não existe mais.' }])
  })
})

describe('concurrency and volume', () => {
  test('deleting reports while grants of them are saved causes no errors', {
    timeout: 60_000,
  }, async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => createUser(app)))
    const { idGrupoRelatorio } = second.group
    const toDelete = await Promise.all(
      Array.from({ length: 6 }, () => createReport(app, { idGrupoRelatorio })),
    )
    const ids = toDelete.map(({ idRelatorio }) => idRelatorio)
    for (const { idUsuario } of people) {
      await admin.put(`/usuarios/relatorio-usuario/${idUsuario}`, { idRelatorios: ids })
    }
    const answers = await Promise.all([
      ...ids.map((id) => admin.del(`/usuarios/relatorio/${id}`)),
      ...people.map(({ idUsuario }, n) =>
        admin.put(`/usuarios/relatorio-usuario/${idUsuario}`, { idRelatorios: [first.ids[n % 3]] }),
      ),
    ])
    expect(answers.map(({ status }) => status)).toEqual([...ids.map(() => 204), ...people.map(() => 200)])
  })

  test('deleting a report granted to 300 users removes it from every menu', async () => {
    const own = await app.as(person)
    const idRelatorio = first.ids[0] ?? 0
    await sql`insert into usuario (nome_usuario, email_usuario)
      select 'P' || n, 'p' || n || '@muitos.exemplo' from generate_series(1, 300) n`.execute(app.db)
    await sql`insert into relatorio_usuario (id_usuario, id_relatorio)
      select id_usuario, ${idRelatorio}::int from usuario`.execute(app.db)
    expect((await own.get('/usuarios/menus')).body).toHaveLength(1)
    expect((await admin.del(`/usuarios/relatorio/${idRelatorio}`)).status).toBe(204)
    expect((await own.get('/usuarios/menus')).body).toEqual([])
  })
})
